import { openHttpFetcher } from '../../capture/http/http-fetcher.ts';
import { textOf } from '../../model/body.ts';
import { snapshotUri } from '../../model/derived-uris.ts';
import { type Exchange, isRedirect } from '../../model/exchange.ts';
import type { MendedResource, MissingResource } from '../../model/page-check.ts';
import { fetchResources } from '../../stages/fetch-resources.ts';
import { type PictureDigests, picturesOf, sha256 } from '../../stages/stored/snapshot.ts';
import type { DerivedStore } from '../analyse/derived-store.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../crawl/crawl-settings.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import type { SeenVersion } from './check-version.ts';

export interface Mender {
  mend(version: SeenVersion, missing: readonly MissingResource[]): Promise<readonly MendedResource[]>;
  close(): Promise<void>;
}

/**
 * Requests from the web again what a page is missing. What comes is stored under the time it came, so that replay,
 * which takes the nearest in time, finds it from then on; an error is not stored, since replay would show it where
 * there was nothing.
 */
export function openMender(
  archive: Pick<OpenArchive, 'folder' | 'catalog' | 'reader'>,
  store: DerivedStore,
  { allowPrivate }: { readonly allowPrivate: boolean },
): Mender {
  const fetcher = openHttpFetcher({ allowPrivate, spoolDir: archive.folder.tmp, now: systemClock.now });
  const spec = crawlSpec(CRAWL_SETTINGS.parse({ allowPrivate }));
  return {
    async mend(version, missing) {
      const { exchanges, lost } = await fetchResources(
        missing.map(({ url }) => url),
        spec,
        fetcher,
        undefined,
      );
      const good = exchanges.filter(isWorthKeeping);
      const digests = await picturesSeen(version, archive);
      const outcomes = new Map<string, MendedResource>();
      for (const { url, fault, why } of lost)
        outcomes.set(url, { url, outcome: 'failed', why: `${fault}: ${why}` });
      for (const exchange of exchanges) outcomes.set(exchange.url, await outcomeOf(exchange, digests));
      const at = systemClock.now();
      try {
        if (good.length > 0) await store.add({ url: version.url, at, exchanges: good, derived: [] });
      } finally {
        await Promise.all(exchanges.map(({ response }) => response.body.release()));
      }
      return missing.map(
        ({ url }) => outcomes.get(url) ?? { url, outcome: 'failed', why: 'it was not asked for' },
      );
    },
    close: () => fetcher.close(),
  };
}

const isWorthKeeping = ({ response: { status } }: Exchange): boolean =>
  (status >= 200 && status < 300) || isRedirect(status);

async function outcomeOf(exchange: Exchange, seen: PictureDigests): Promise<MendedResource> {
  const { url, response } = exchange;
  if (!isWorthKeeping(exchange))
    return { url, outcome: 'failed', why: `it is answered with ${response.status} now` };
  const [before, { bytes }] = [seen[url], response.body];
  if (before === undefined || !bytes) return { url, outcome: 'had' };
  return { url, outcome: (await sha256(bytes)) === before ? 'same' : 'other' };
}

/** Digests of the pictures that the live page showed: they tell whether a different one is at that address now. */
async function picturesSeen(
  { url, layoutAt }: SeenVersion,
  { catalog, reader }: Pick<OpenArchive, 'catalog' | 'reader'>,
): Promise<PictureDigests> {
  const fact = await catalog.closest(snapshotUri(url), layoutAt);
  if (fact?.at !== layoutAt) return {};
  try {
    return picturesOf(await textOf((await reader.read(fact)).payload));
  } catch {
    return {};
  }
}
