import type { Layout } from '../../model/layout.ts';
import { unpackSnapshot } from '../../model/snapshot-codec.ts';
import type { AdRecogniser } from '../../ports/ad-recogniser.ts';
import type { PlacedLayout } from '../../science/layout/layout-of.ts';
import { type PageLayoutOptions, pageLayout } from '../../science/layout/page-layout.ts';
import { type PictureDigests, picturesOf } from './snapshot.ts';

/** The options of any layout of the archive, however it is made. */
export function layoutOptions(
  url: string,
  version: string,
  pictures: PictureDigests,
  ads: AdRecogniser | undefined,
): Pick<PageLayoutOptions, 'version' | 'imageDigest' | 'ads'> {
  const digests = new Map(Object.entries(pictures));
  return {
    version,
    imageDigest: (source) => digests.get(source),
    ...(ads && {
      ads: {
        byUrl: (address, kind) => ads.isAdvertisement(address, url, kind),
        hidden: (seen) => ads.hidden(url, seen),
      },
    }),
  };
}

/** The layout of a snapshot as archived, pictures included; cut along `previous`, the page's last version. */
export function placedFrom(
  packed: string,
  url: string,
  version: string,
  ads: AdRecogniser | undefined,
  previous?: Layout,
): PlacedLayout {
  const options = layoutOptions(url, version, picturesOf(packed), ads);
  const placed = pageLayout(unpackSnapshot(packed), { ...options, previous });
  return { ...placed, layout: { ...placed.layout, url } };
}
