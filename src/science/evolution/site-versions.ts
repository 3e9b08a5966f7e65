/**
 * From what visits saw of a site's pages to the site's versions, as defined by NEAR-Miner 2009 (§ 3.1): one per crawl.
 *
 * Only what was seen counts. A page that a crawl did not visit, because nothing linked to it any more or a limit came
 * first, stays as it was last seen, until a visit finds it gone: the paper's crawls are complete, ours need not be. A
 * directory of which a crawl saw no page was not looked at. Captures that belong to no crawl, such as imported ones,
 * make a new version whenever they follow a pause.
 */

import type { PageSighting, SeenPage } from '../../model/pattern.ts';
import type { Millis } from '../../model/time.ts';
import { gapBetween } from '../patterns/sightings.ts';
import type { SiteVersion } from './directory-history.ts';
import { sitePath } from './site-path.ts';
import type { VersionPage } from './wd-diff.ts';

/** A crawl of the site. */
export interface CrawlSpan {
  readonly from: Millis;
  /** Absent while it is unfinished: what it saw counts with the next one that finishes. */
  readonly to?: Millis;
  /** Directories that it took for unchanged, as `/a/b/`. */
  readonly inferred: readonly string[];
}

/** A page as it was found; without a digest: gone. */
export interface FoundPage extends Omit<VersionPage, 'digest'> {
  readonly digest?: string;
}

export interface SitePast {
  readonly versions: readonly SiteVersion[];
  /** What was seen since the last version, by a crawl still under way. */
  readonly since: readonly FoundPage[];
  /** Pages that exist, as far as is known, and when each was last seen. */
  readonly pages: ReadonlyMap<string, Millis>;
}

/** Milliseconds without a capture after which the next ones belong to another version. */
const PAUSE = 60 * 60 * 1000;
/** Largest number of versions returned, the latest: what came before says little about the next. */
const VERSIONS = 60;

/** `runningFrom`: what was seen from then on is not a version yet. */
export function siteVersions(
  seen: readonly SeenPage[],
  crawls: readonly CrawlSpan[],
  runningFrom = Number.POSITIVE_INFINITY,
): SitePast {
  const ends = versionEnds(seen, crawls, runningFrom);
  const found: FoundPage[][] = ends.map(() => []);
  const since: FoundPage[] = [];
  const pages = new Map<string, Millis>();
  for (const { url, sightings } of seen) {
    for (const [index, page] of pagesByVersion(url, sightings, ends)) (found[index] ?? since).push(page);
    const last = sightings.at(-1);
    if (last?.state === 'there') pages.set(url, last.at);
  }
  return { versions: assembled(ends, found).slice(-VERSIONS), since, pages };
}

/**
 * Pages that nobody has seen for this many versions. A directory counts as looked at when any page of it was seen; a limit may have
 * come before the others, and each must be revisited in time.
 */
export function overduePages({ versions, pages }: SitePast, refreshEvery: number): ReadonlySet<string> {
  const bound = versions.at(-refreshEvery)?.at ?? Number.NEGATIVE_INFINITY;
  return new Set([...pages].flatMap(([url, seen]) => (seen <= bound ? [url] : [])));
}

interface VersionEnd {
  readonly at: Millis;
  readonly inferred: readonly string[];
}

/** In time order: each version holds what was seen after the previous end, up to its own. */
function versionEnds(
  seen: readonly SeenPage[],
  crawls: readonly CrawlSpan[],
  runningFrom: Millis,
): readonly VersionEnd[] {
  const inOrder = crawls.toSorted((a, b) => a.from - b.from);
  const untils = inOrder.map(({ to }, i) => to ?? inOrder[i + 1]?.from ?? Number.POSITIVE_INFINITY);
  // The latest end of all crawls up to and including each: before it, an earlier one may still be under way.
  const reach = untils.map((_, i) => Math.max(...untils.slice(0, i + 1)));
  const alone: Millis[] = [];
  const ofCrawls = inOrder.map(() => Number.NEGATIVE_INFINITY);
  let last = 0;
  for (const { sightings } of seen) {
    for (const { at } of sightings) {
      if (at >= runningFrom) continue;
      // A page's sightings go forward in time, and most pages are seen by every crawl: the next one is near the last.
      while (last > 0 && (inOrder[last] as CrawlSpan).from > at) last--;
      while (last + 1 < inOrder.length && (inOrder[last + 1] as CrawlSpan).from <= at) last++;
      let isCovered = false;
      for (let i = last; i >= 0 && (reach[i] ?? -1) >= at; i--) {
        const { from, to } = inOrder[i] as CrawlSpan;
        if (at < from || at > (untils[i] as number)) continue;
        isCovered = true;
        if (to !== undefined) ofCrawls[i] = Math.max(ofCrawls[i] as number, at);
      }
      if (!isCovered) alone.push(at);
    }
  }
  const ends = inOrder.flatMap(({ inferred }, i): VersionEnd[] =>
    Number.isFinite(ofCrawls[i]) ? [{ at: ofCrawls[i] as number, inferred }] : [],
  );
  alone.sort((a, b) => a - b);
  alone.forEach((at, i) => {
    if ((alone[i + 1] ?? Number.POSITIVE_INFINITY) - at > PAUSE) ends.push({ at, inferred: [] });
  });
  ends.sort((a, b) => a.at - b.at);
  return ends.filter(({ at }, i) => at !== ends[i + 1]?.at);
}

/** What the last sighting in each version found. Sightings that saw the same have the same digest. */
function* pagesByVersion(
  url: string,
  sightings: readonly PageSighting[],
  ends: readonly VersionEnd[],
): Generator<readonly [index: number, page: FoundPage]> {
  let before: PageSighting | undefined;
  let digest = '';
  let index = 0;
  let importance: number | undefined;
  let told: FoundPage | undefined;
  for (const [i, now] of sightings.entries()) {
    while (index < ends.length && (ends[index] as VersionEnd).at < now.at) {
      index++;
      importance = undefined;
    }
    if (now.state === 'there') {
      const gap = before && gapBetween(before, now);
      if (!gap || gap.changed) digest = now.look ?? now.sha256;
      if (gap?.changed) importance = Math.max(importance ?? 0, gap.importance);
      before = now;
    }
    const next = sightings[i + 1];
    const end = ends[index]?.at ?? Number.POSITIVE_INFINITY;
    if (next && next.at <= end) continue;
    const found = now.state === 'there' ? digest : undefined;
    // Skipped if as before: most pages do not change, and millions of entries would say the same.
    if (importance !== undefined || told === undefined || told.digest !== found) {
      const page = { url, ...(importance !== undefined && { importance }) };
      told = found === undefined ? page : { ...page, digest: found };
    }
    yield [index, told];
    if (importance !== undefined) told = undefined;
  }
}

const isThere = (page: FoundPage): page is VersionPage => page.digest !== undefined;

function assembled(ends: readonly VersionEnd[], found: readonly (readonly FoundPage[])[]): SiteVersion[] {
  // Pages as last seen, without the importance of a change, which belongs to one version.
  const held = new Map<string, Map<string, VersionPage>>();
  const directories = new Map<string, string>();
  const directoryOf = (url: string): string => {
    const directory = directories.get(url) ?? sitePath(url).directory;
    directories.set(url, directory);
    return directory;
  };
  return ends.map(({ at, inferred }, i) => {
    const unlooked = new Set(inferred);
    const looked = new Set<string>();
    const weighed = new Map<string, VersionPage>();
    const pages: VersionPage[] = [];
    for (const page of found[i] ?? []) {
      const { url } = page;
      const directory = directoryOf(url);
      const own = held.get(directory) ?? new Map<string, VersionPage>();
      held.set(directory, own);
      if (isThere(page)) {
        if (page.importance !== undefined) weighed.set(url, page);
        own.set(url, page.importance === undefined ? page : { url, digest: page.digest });
      } else own.delete(url);
      if (!unlooked.has(directory)) looked.add(directory);
      // A pinned or new page is seen even if the rest of its directory is not.
      else if (isThere(page)) pages.push(page);
    }
    // What precedes the first version returned is included in it.
    const isFirst = i === Math.max(0, ends.length - VERSIONS);
    for (const directory of isFirst ? held.keys() : looked) {
      for (const [url, page] of held.get(directory) ?? []) pages.push(weighed.get(url) ?? page);
    }
    const unseen = isFirst ? [] : [...held.keys()].filter((directory) => !looked.has(directory));
    return { at, pages, unseen };
  });
}
