/**
 * Invented sites whose whole life is known: a front page that links to the articles of the day, articles that are edited now and
 * then and finally withdrawn. Sites differ in size, pace and importance by powers of ten, as real ones do.
 */
import { type Random, stream } from '../newspaper/random.ts';

/** Times are in days. */
export interface LivingPage {
  readonly site: number;
  /** Index within its site; 0 is the front page. */
  readonly number: number;
  readonly bornAt: number;
  /** Infinity for a page that stays. */
  readonly goneAt: number;
  /** Ascending; the version at t is the number of changes up to t. */
  readonly changes: readonly number[];
  /** Changes per day. */
  readonly rate: number;
}

export interface LivingSite {
  readonly importance: number;
  readonly pages: readonly LivingPage[];
}

export interface LivingOptions {
  readonly sites: number;
  readonly days: number;
}

/** Mean number of days that an article stays. */
const STAYS = 40;

export function livingSites(seed: number, { sites, days }: LivingOptions): readonly LivingSite[] {
  return Array.from({ length: sites }, (_, site) => {
    const random = stream(seed, 'site', site);
    const size = Math.round(3 * 10 ** (1.2 * random.next()));
    // Changes of an article per day.
    const pace = 10 ** (-0.5 - 2 * random.next());
    const articles: LivingPage[] = [];
    // As many exist at the beginning as come and go later.
    for (let at = -4 * STAYS; at < days; at += random.delay(STAYS / size)) {
      const goneAt = at + random.delay(STAYS);
      if (goneAt <= 0) continue;
      const rate = pace * 10 ** (random.next() - 0.5);
      const changes = times(random, rate, Math.max(0, at), Math.min(goneAt, days));
      articles.push({ site, number: articles.length + 1, bornAt: at, goneAt, changes, rate });
    }
    const front = articles
      .flatMap(({ bornAt, goneAt }) => [bornAt, goneAt])
      .filter((at) => at > 0 && at < days)
      .sort((a, b) => a - b);
    const home = { site, number: 0, bornAt: -4 * STAYS, goneAt: Number.POSITIVE_INFINITY, changes: front };
    return {
      importance: 10 ** (2 * random.next()),
      pages: [{ ...home, rate: Math.max(1, front.length) / days }, ...articles],
    };
  });
}

function times(random: Random, rate: number, from: number, to: number): number[] {
  const found: number[] = [];
  for (let at = from + random.delay(1 / rate); at < to; at += random.delay(1 / rate)) found.push(at);
  return found;
}

export const isThere = ({ bornAt, goneAt }: LivingPage, at: number): boolean => bornAt <= at && at < goneAt;

export function versionAt({ changes }: LivingPage, at: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle] as number) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The links of a page at a time: from the front page to every existing article; from an article to the front page and its
 * neighbours.
 */
export function linksAt(site: LivingSite, page: LivingPage, at: number): readonly LivingPage[] {
  const there = site.pages.filter((other) => other !== page && isThere(other, at));
  if (page.number === 0) return there;
  return there.filter(({ number }) => number === 0 || Math.abs(number - page.number) <= 2);
}
