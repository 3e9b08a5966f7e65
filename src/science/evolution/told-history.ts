/**
 * What histories of other archives say of a site, as sightings and crawls like one's own, so that an archive can plan a recrawl
 * from another's visits. Accesses that made no request (skipped, mirror) are not sightings.
 */
import type { PageSighting, SeenPage } from '../../model/pattern.ts';
import { type DeltaCrawl, type DeltaDocument, type DeltaPage, isShown } from '../../model/site-delta.ts';
import type { Millis } from '../../model/time.ts';
import { sitePath } from './site-path.ts';
import type { CrawlSpan } from './site-versions.ts';

export interface ToldSite {
  readonly seen: readonly SeenPage[];
  readonly crawls: readonly CrawlSpan[];
  /** By URL, for pages that were there at their last access: the archive that made it. */
  readonly heldBy: ReadonlyMap<string, string>;
}

/** `before`: anything later belongs to the crawl under way, if to any. */
export async function toldSite(
  pages: AsyncIterable<DeltaPage>,
  crawls: readonly DeltaCrawl[],
  before = Number.POSITIVE_INFINITY,
): Promise<ToldSite> {
  const seen: SeenPage[] = [];
  const heldBy = new Map<string, string>();
  const unlooked = new Map<string, Set<string>>();
  for await (const { url, documents } of pages) {
    const told = documents.filter(({ at }) => at < before);
    const sightings = sightingsOf(told);
    if (sightings.length > 0) seen.push({ url, sightings });
    const last = told.findLast(({ status }) => isShown(status) || status === 'deleted');
    if (last && isShown(last.status)) heldBy.set(url, last.archive);
    for (const { at, archive, inferred } of told) {
      if (inferred === undefined) continue;
      const key = `${archive} ${at}`;
      unlooked.set(key, (unlooked.get(key) ?? new Set()).add(sitePath(url).directory));
    }
  }
  const spans = crawls
    .filter(({ from }) => from < before)
    .map(({ archive, from, to }) => ({
      from,
      ...(to !== undefined && { to: Math.min(to, before) }),
      inferred: [...(unlooked.get(`${archive} ${from}`) ?? [])],
    }));
  return { seen, crawls: spans, heldBy };
}

/** Documents without a digest are distinguished by status: the last one that was new or updated names the bytes. */
function sightingsOf(documents: readonly DeltaDocument[]): readonly PageSighting[] {
  const sightings: PageSighting[] = [];
  let bytes = '';
  for (const { at, status, archive, sha256, look, importance } of documents) {
    if (sightings.at(-1)?.at === at) continue;
    if (status === 'deleted') sightings.push({ at, state: 'gone', sha256: '' });
    if (!isShown(status)) continue;
    if (sha256 !== undefined) bytes = sha256;
    else if (status !== 'unchanged' || bytes === '') bytes = `told by ${archive} at ${at}`;
    sightings.push({
      at,
      state: 'there',
      sha256: bytes,
      ...(look !== undefined && { look }),
      ...(importance !== undefined && { importance }),
    });
  }
  return sightings;
}

/** By URL and in time order; for the same moment the first list wins. */
export function mergedSightings(own: readonly SeenPage[], told: readonly SeenPage[]): readonly SeenPage[] {
  if (told.length === 0) return own;
  const pages = new Map<string, readonly PageSighting[]>(own.map(({ url, sightings }) => [url, sightings]));
  for (const { url, sightings } of told) {
    const before = pages.get(url) ?? [];
    const known = new Set<Millis>(before.map(({ at }) => at));
    const more = sightings.filter(({ at }) => !known.has(at));
    pages.set(
      url,
      [...before, ...more].sort((a, b) => a.at - b.at),
    );
  }
  return [...pages].map(([url, sightings]) => ({ url, sightings }));
}
