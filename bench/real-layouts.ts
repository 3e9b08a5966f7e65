/** Vi-XML of real version pairs, cut as crawls do: each version along the previous one. */
import { KeptSnapshots } from '../src/cli/lab/kept-snapshots.ts';
import { showVersions } from '../src/cli/lab/show-versions.ts';
import { withViewer } from '../src/cli/lab/shown-set.ts';
import { openVersionSet } from '../src/cli/lab/version-set.ts';
import { versionTime } from '../src/lab/deltas/version-time.ts';
import type { Layout } from '../src/model/layout.ts';
import { pageLayout } from '../src/science/layout/page-layout.ts';
import { writeViXml } from '../src/science/layout/vi-xml.ts';
import type { XmlPair } from './time-differs.ts';

export interface RealPair {
  readonly page: string;
  /** Between the two versions. */
  readonly hours: number;
  readonly xml: XmlPair;
}

export interface RealSet {
  /** Folder of `<page>/<UTC>.html`, or of tar files of it. */
  readonly versions: string;
  /** Folder where what the browser showed is kept, and read from the next time. */
  readonly snapshots: string | undefined;
  /** Most versions per page, half of them its oldest and half its newest. */
  readonly most: number;
}

/** Offline in Chromium, without ad lists. Versions that show nothing are skipped. */
export async function realPairs({ versions, snapshots, most }: RealSet): Promise<RealPair[]> {
  const { pages, close } = await openVersionSet(versions, { most });
  const pairs: RealPair[] = [];
  let last: { readonly page: string; readonly layout: Layout; readonly xml: string } | undefined;
  try {
    await withViewer(async (viewer) => {
      const kept = new KeptSnapshots(snapshots);
      for await (const { page, version, snapshot } of showVersions(pages, { viewer, kept, again: 0 })) {
        if (!snapshot) continue;
        const before = last?.page === page ? last : undefined;
        const { layout } = pageLayout(snapshot, { version, previous: before?.layout });
        const xml = writeViXml(layout);
        if (before) pairs.push({ page, hours: hoursBetween(before.layout, layout), xml: [before.xml, xml] });
        last = { page, layout, xml };
      }
    });
  } finally {
    await close();
  }
  return pairs;
}

const hoursBetween = (old: Layout, now: Layout): number =>
  ((versionTime(now.version) ?? Number.NaN) - (versionTime(old.version) ?? Number.NaN)) / 3600;
