import type { CaptureFact } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type { CaptureCatalog } from '../../ports/catalog.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import { type RecordReader, storedResponse } from '../../ports/record-store.ts';
import type { DatedEvidence } from '../../science/browsing/version-chances.ts';
import { urlVariants } from '../url-variants.ts';

/** What dates a change of a page, and how it says so. */
export interface FoundEvidence {
  readonly words: string;
  readonly dates: readonly DatedEvidence[];
}

export interface EvidenceSources {
  readonly catalog: CaptureCatalog;
  readonly reader: Pick<RecordReader, 'read'>;
  readonly pageReader?: Pick<PageReader, 'readSitemap'>;
}

/** Where sites have their sitemaps and feeds; those that are archived are read. */
const LISTS = [
  '/sitemap.xml',
  '/feed',
  '/feed.xml',
  '/rss',
  '/rss.xml',
  '/atom.xml',
  '/index.xml',
  '/feed.json',
];
/** A date that is always that of the request dates nothing. */
const AT_REQUEST = 60_000;

const seconds = (at: Millis): number => at / 1000;
const time = (at: Millis): string => new Date(at).toISOString();

/** Last-Modified of the capture after, and dates of archived sitemaps and feeds. */
export async function datedEvidence(
  sources: EvidenceSources,
  { before, after, at }: { readonly before: CaptureFact; readonly after: CaptureFact; readonly at: Millis },
): Promise<readonly FoundEvidence[]> {
  const found: FoundEvidence[] = [];
  const modified = Date.parse(after.lastModified ?? '');
  if (modified > before.at && modified < after.at - AT_REQUEST)
    found.push({
      words: `the capture of ${time(after.at)} says that it was last modified ${time(modified)}`,
      dates: sameSince(modified, after.at),
    });
  for (const list of await listsAround(sources, after.url, at)) {
    const told = await dateIn(sources, list, after.url);
    if (told === undefined || told > list.at || list.at - told < AT_REQUEST || list.at <= before.at) continue;
    if (told <= before.at && list.at <= at) continue;
    found.push({
      words: `${list.url} of ${time(list.at)} dates its last change ${time(told)}`,
      dates: sameSince(told, list.at),
    });
  }
  return found;
}

const sameSince = (changed: Millis, seen: Millis): readonly DatedEvidence[] => [
  { kind: 'changed', at: seconds(changed) },
  { kind: 'unchanged', from: seconds(changed), to: seconds(seen) },
];

async function listsAround(
  { catalog, pageReader }: EvidenceSources,
  url: string,
  at: Millis,
): Promise<readonly CaptureFact[]> {
  if (!pageReader || !URL.canParse(url)) return [];
  const { origin } = new URL(url);
  const found: CaptureFact[] = [];
  for (const path of LISTS) {
    const { before, after } = await catalog.neighbours(`${origin}${path}`, at);
    for (const fact of [before, after]) if (fact && fact.status === 200) found.push(fact);
  }
  return found;
}

async function dateIn(
  { catalog, reader, pageReader }: EvidenceSources,
  list: CaptureFact,
  url: string,
): Promise<Millis | undefined> {
  try {
    const original = await catalog.originalOf(list);
    const response = original && storedResponse(await reader.read(original));
    if (!response || !pageReader) return undefined;
    const { hints } = await pageReader.readSitemap({ url: list.url, response });
    for (const variant of urlVariants(url)) {
      const hint = hints?.get(variant)?.lastModified;
      if (hint !== undefined) return hint;
    }
  } catch {
    // A damaged list is no evidence; `verify` tells of it.
  }
  return undefined;
}
