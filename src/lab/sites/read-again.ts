/**
 * Ways to spend the same number of visits a day: on pages by their staleness θ, on random pages, and on whole sites by ρ. θ is
 * the same for pages and sites, with the true rates; an article is known once the front page that links to it has been read.
 * Random pages are included because θ reads the liveliest pages all the time, which helps few of them.
 */

import { expectedChanges, rankSites } from '../../science/policy/sites/site-priority.ts';
import type { Random } from '../newspaper/random.ts';
import { isThere, type LivingPage, type LivingSite, linksAt } from './living-sites.ts';

export const WAYS = ['pages by θ', 'pages by chance', 'sites by ρ'] as const;
export type Way = (typeof WAYS)[number];

/** One visit that found the page. */
export interface FoundVisit {
  readonly page: LivingPage;
  readonly at: number;
}

export interface RereadOptions {
  readonly days: number;
  /** Visits a day. */
  readonly pace: number;
  readonly random: Random;
}

const DAY = 86_400_000;

/** The front page's share of a site's importance; the articles share the rest. */
const FRONT = 0.5;

export function readAgain(
  sites: readonly LivingSite[],
  way: Way,
  options: RereadOptions,
): readonly FoundVisit[] {
  return way === 'sites by ρ' ? readSites(sites, options) : readPages(sites, way, options);
}

/** Known pages of each site, with the time of the last request; a page that is gone is forgotten. */
class Known {
  readonly readings: FoundVisit[] = [];
  readonly #sites: readonly LivingSite[];
  readonly #pages: readonly Map<LivingPage, number | undefined>[];

  constructor(sites: readonly LivingSite[]) {
    this.#sites = sites;
    this.#pages = sites.map(({ pages }) => new Map([[pages[0] as LivingPage, undefined]]));
  }

  of(site: number): ReadonlyMap<LivingPage, number | undefined> {
    return this.#pages[site] as ReadonlyMap<LivingPage, number | undefined>;
  }

  ask(page: LivingPage, at: number): void {
    const own = this.#pages[page.site] as Map<LivingPage, number | undefined>;
    if (!isThere(page, at)) {
      own.delete(page);
      return;
    }
    own.set(page, at);
    this.readings.push({ page, at });
    for (const linked of linksAt(this.#sites[page.site] as LivingSite, page, at))
      if (!own.has(linked)) own.set(linked, undefined);
  }
}

const standing = (lastRead: number | undefined) =>
  lastRead === undefined ? {} : { lastRead: lastRead * DAY };

function readPages(
  sites: readonly LivingSite[],
  way: Way,
  { days, pace, random }: RereadOptions,
): readonly FoundVisit[] {
  const known = new Known(sites);
  for (let slot = 0; slot < days * pace; slot++) {
    const at = slot / pace;
    if (way === 'pages by chance') {
      const pages = sites.flatMap((_, index) => [...known.of(index).keys()]);
      known.ask(random.pick(pages), at);
      continue;
    }
    let best: { readonly page: LivingPage; readonly worth: number } | undefined;
    for (const [index, { importance }] of sites.entries()) {
      const own = known.of(index);
      for (const [page, lastRead] of own) {
        const share = page.number === 0 ? FRONT : (1 - FRONT) / Math.max(1, own.size - 1);
        const site = {
          importance: importance * share,
          changeRate: page.rate / 86_400,
          ...standing(lastRead),
        };
        const worth = expectedChanges(site, at * DAY);
        if (!best || worth > best.worth) best = { page, worth };
      }
    }
    if (best) known.ask(best.page, at);
  }
  return known.readings;
}

function readSites(sites: readonly LivingSite[], { days, pace }: RereadOptions): readonly FoundVisit[] {
  const known = new Known(sites);
  const lastRead = new Map<number, number>();
  for (let slot = 0; slot < days * pace; ) {
    const now = (slot / pace) * DAY;
    const [first] = rankSites(
      sites.map(({ importance }, index) => {
        const own = [...known.of(index).keys()];
        const rate = FRONT * (own[0]?.rate ?? 0) + ((1 - FRONT) * meanRate(own.slice(1)) || 0);
        const pages = { pages: own.length, failures: 0, changeRate: rate / 86_400 };
        return { site: String(index), importance, ...pages, ...standing(lastRead.get(index)) };
      }),
      now,
    );
    const site = Number(first?.site ?? 0);
    lastRead.set(site, slot / pace);
    const asked = new Set<LivingPage>();
    // Pages found on the way are part of it.
    for (let next = unasked(known.of(site), asked); next && slot < days * pace; slot++) {
      asked.add(next);
      known.ask(next, slot / pace);
      next = unasked(known.of(site), asked);
    }
  }
  return known.readings;
}

const meanRate = (pages: readonly LivingPage[]): number =>
  pages.length === 0 ? 0 : pages.reduce((sum, { rate }) => sum + rate, 0) / pages.length;

const unasked = (
  pages: ReadonlyMap<LivingPage, unknown>,
  asked: ReadonlySet<LivingPage>,
): LivingPage | undefined => [...pages.keys()].find((page) => !asked.has(page));
