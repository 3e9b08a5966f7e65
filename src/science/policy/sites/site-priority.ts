/**
 * Which site is read next (French web 2002, § 3): the one whose staleness costs most per page that reading it takes.
 * Sites are read whole, since pages of a site that were read weeks apart do not belong together.
 *
 * | paper | here |
 * | --- | --- |
 * | i(S) | `importance`, a share of all importance |
 * | c̄h(S) | `changeRate`, per second: see site-change-rate.ts |
 * | lastCrawl(S) | `lastRead` |
 * | θ | `Staleness`; unless another is given, i(S) · (now − lastCrawl) · c̄h(S) |
 * | number of pages in S | `pages` |
 * | ρ(S) | `priority` |
 *
 * Departure: a site that brought nothing the last k times it was requested counts 2^−k. Its last crawl is the last try, and
 * without this an important dead site would come first again and again.
 */
import type { Millis } from '../../../model/time.ts';

export interface SiteStanding {
  readonly site: string;
  readonly importance: number;
  /** Expected changes per second of a page of the site. */
  readonly changeRate: number;
  /** Absent where none of it was ever read. */
  readonly lastRead?: Millis;
  /** Known, or estimated. */
  readonly pages: number;
  /** Crawls in a row, up to the last one, that brought no page. */
  readonly failures: number;
}

export type Staleness = (site: Omit<SiteStanding, 'pages' | 'failures' | 'site'>, now: Millis) => number;

/** θ = i(S) · (now − lastCrawl(S)) · c̄h(S); 0 if the clock went back. */
export const expectedChanges: Staleness = ({ importance, changeRate, lastRead }, now) =>
  importance * secondsSince(lastRead, now) * changeRate;

/** Sites that were never read count as having waited equally long: importance and size decide which comes first. */
const NEVER = 365 * 86_400;
const secondsSince = (lastRead: Millis | undefined, now: Millis): number =>
  lastRead === undefined ? NEVER : Math.max(0, now - lastRead) / 1000;

export interface RankedSite extends SiteStanding {
  /** ρ(S). */
  readonly priority: number;
  /** Stored with the crawl. */
  readonly reason: string;
}

/** Largest ρ first; ties by name, so that the same archive gives the same order. */
export function rankSites(
  sites: readonly SiteStanding[],
  now: Millis,
  staleness: Staleness = expectedChanges,
): readonly RankedSite[] {
  return sites
    .map((site): RankedSite => {
      const priority = (staleness(site, now) * 0.5 ** site.failures) / Math.max(1, site.pages);
      return { ...site, priority, reason: reasonOf(site, priority, now) };
    })
    .sort((a, b) => b.priority - a.priority || (a.site < b.site ? -1 : 1));
}

const DAY = 86_400;

function reasonOf(site: SiteStanding, priority: number, now: Millis): string {
  const { importance, changeRate, lastRead, pages, failures } = site;
  const age = `${figure(secondsSince(lastRead, now) / DAY)} days`;
  const waits = lastRead === undefined ? `never read, as if ${age} ago` : `${age} since its last crawl`;
  const tries = failures > 0 ? ` ÷ ${2 ** failures}, since it brought nothing ${times(failures)}` : '';
  return (
    `ρ = ${figure(priority)}: importance ${figure(importance)} × ${waits} × ` +
    `${figure(changeRate * DAY)} changes per page and day ÷ ${pages} page${pages === 1 ? '' : 's'}${tries}`
  );
}

const times = (count: number): string => (count === 1 ? 'the last time' : `the last ${count} times`);

/** Three significant digits, without an exponent where that is short. */
export function figure(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 0.001 && size < 1e6 ? String(Number(value.toPrecision(3))) : value.toExponential(2);
}
