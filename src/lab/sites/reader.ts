/**
 * A reader of an archive opens a page in the version read nearest to some day, and clicks a link on it. The link leads to a page
 * that was never read though it existed (dangling), to the nearest version read, which is not what existed when the first page
 * was read (mixed), or to the right one. Readers choose sites by importance, and days and pages at random.
 */
import type { Random } from '../newspaper/random.ts';
import { isThere, type LivingPage, type LivingSite, linksAt, versionAt } from './living-sites.ts';
import type { FoundVisit } from './read-again.ts';

export interface Clicks {
  readonly dangling: number;
  readonly mixed: number;
  /** Share of the existing pages, by importance of their sites, whose last archived version is their current one. */
  readonly fresh: number;
  /** Mean number of days between the page and what its link shows. */
  readonly apart: number;
}

export interface Span {
  /** In days; earlier readings are only there to be found. */
  readonly from: number;
  readonly to: number;
}

export function clicks(
  sites: readonly LivingSite[],
  readings: readonly FoundVisit[],
  span: Span,
  { count, random }: { readonly count: number; readonly random: Random },
): Clicks {
  const times = new Map<LivingPage, number[]>();
  for (const { page, at } of readings) times.set(page, [...(times.get(page) ?? []), at]);
  const read = sites.map(({ pages }) => pages.filter((page) => times.has(page)));
  const chooseSite = byWeight(sites.map(({ importance }, site) => (read[site]?.length ? importance : 0)));
  let [dangling, mixed, apart, shown] = [0, 0, 0, 0];
  for (let click = 0; click < count; click++) {
    const site = chooseSite(random.next());
    const moment = span.from + (span.to - span.from) * random.next();
    const there = (read[site] ?? []).filter((page) => isThere(page, moment));
    if (there.length === 0) continue;
    const page = random.pick(there);
    const at = nearestTo(moment, times.get(page)) ?? moment;
    const links = linksAt(sites[page.site] as LivingSite, page, at);
    if (links.length === 0) continue;
    const target = random.pick(links);
    shown++;
    const nearest = nearestTo(at, times.get(target));
    if (nearest === undefined) dangling++;
    else {
      apart += Math.abs(nearest - at);
      if (versionAt(target, nearest) !== versionAt(target, at)) mixed++;
    }
  }
  const met = Math.max(1, shown);
  return {
    dangling: dangling / met,
    mixed: mixed / met,
    apart: apart / Math.max(1, shown - dangling),
    fresh: freshness(sites, times, span),
  };
}

const nearestTo = (at: number, times: readonly number[] = []): number | undefined =>
  times.length === 0 ? undefined : times.reduce((a, b) => (Math.abs(b - at) < Math.abs(a - at) ? b : a));

/** Maps a uniform random number to an index, in proportion to the weights. */
function byWeight(weights: readonly number[]): (chance: number) => number {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return (chance) => {
    let left = chance * all;
    return Math.max(
      0,
      weights.findIndex((weight) => {
        left -= weight;
        return left < 0;
      }),
    );
  };
}

/** Number of times in the span at which freshness is checked. */
const LOOKS = 20;

function freshness(
  sites: readonly LivingSite[],
  times: ReadonlyMap<LivingPage, readonly number[]>,
  { from, to }: Span,
): number {
  let [held, all] = [0, 0];
  for (let look = 0; look < LOOKS; look++) {
    const at = from + ((to - from) * (look + 0.5)) / LOOKS;
    for (const { pages, importance } of sites) {
      const there = pages.filter((page) => isThere(page, at));
      for (const page of there) {
        const last = times.get(page)?.findLast((time) => time <= at);
        const weight = importance / there.length;
        all += weight;
        if (last !== undefined && versionAt(page, last) === versionAt(page, at)) held += weight;
      }
    }
  }
  return held / all;
}
