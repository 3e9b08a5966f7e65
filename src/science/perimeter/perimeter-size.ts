/**
 * How many of the known URLs belong: pages read that do, plus Σ of the chances of known unread URLs (French web 2002, §3.2
 * Discovery), with an interval.
 *
 * Three things are uncertain, and the interval covers all of them:
 * - coefficients are fitted on some pages: sites are resampled with replacement (pages of one site are not independent
 *   witnesses), everything is fitted again, and the sum is computed again;
 * - chances of suspects are learnt from read pages, whose own chances are fitted: the second fit uses the first of
 *   the same round;
 * - even with the right chances, it is random how many belong: Σ p(1 − p), times 1 + (m − 1)·ρ for sites of m pages whose
 *   pages are correlated by ρ (Kish's design effect; ρ from the residuals of the pages that the chances were fitted on).
 */
import type { ConfidenceInterval } from '../quality/bootstrap.ts';
import { chanceOf, fitLogOdds, type JudgedExample, weighed } from './fit-log-odds.ts';
import type { Coefficients } from './verdict.ts';

/** Pages of one site are alike: they are drawn together. */
interface SitedExample extends JudgedExample {
  readonly site: string;
}

export interface WeighedPage {
  readonly site: string;
  /** 1, own, means: verdict.ts. For a page that was read: as a suspect, before. */
  readonly asSuspect: readonly number[];
  /** For pages that were read. */
  readonly asRead?: readonly number[];
  /** What a person, or the truth, says of it. */
  readonly inside?: boolean;
}

export interface SizeOptions {
  readonly read: Coefficients;
  readonly suspects: Coefficients;
  /** In [0, 1); seeded by the caller. */
  readonly random: () => number;
  readonly rounds?: number;
  readonly confidence?: number;
}

export interface PerimeterSize extends ConfidenceInterval {
  /** Σ of the chances of pages read, and of those unread. */
  readonly read: number;
  readonly unread: number;
}

export function perimeterSize(pages: readonly WeighedPage[], options: SizeOptions): PerimeterSize {
  const { random, rounds = 200, confidence = 0.95 } = options;
  const sites = [...new Set(pages.map(({ site }) => site))];
  const sums = sizeOnce(pages, options, () => 1);
  const drawn = Array.from({ length: rounds }, () => {
    const times = new Map<string, number>();
    for (let i = 0; i < sites.length; i++) {
      const site = sites[Math.floor(random() * sites.length)] as string;
      times.set(site, (times.get(site) ?? 0) + 1);
    }
    const round = sizeOnce(pages, options, (site) => times.get(site) ?? 0);
    return round.read + round.unread + Math.sqrt(round.variance) * normal(random);
  }).sort((a, b) => a - b);
  const at = (quantile: number): number => drawn[Math.round(quantile * (rounds - 1))] as number;
  // What people have decided is certain, and bounds the count.
  const sure = pages.filter(({ inside }) => inside === true).length;
  const never = pages.filter(({ inside }) => inside === false).length;
  return {
    mean: sums.read + sums.unread,
    low: Math.max(sure, at((1 - confidence) / 2)),
    high: Math.min(pages.length - never, at((1 + confidence) / 2)),
    read: sums.read,
    unread: sums.unread,
  };
}

interface Sums {
  readonly read: number;
  readonly unread: number;
  readonly variance: number;
}

function sizeOnce(
  pages: readonly WeighedPage[],
  start: Pick<SizeOptions, 'read' | 'suspects'>,
  timesOf: (site: string) => number,
): Sums {
  const judged: SitedExample[] = pages.flatMap(({ asRead, inside, site }) =>
    asRead && inside !== undefined
      ? [{ features: asRead, belongs: Number(inside), site, weight: timesOf(site) }]
      : [],
  );
  const read = fitLogOdds(judged, start.read);
  const seen: SitedExample[] = [];
  const uncertain: Chance[] = [];
  let [inRead, inUnread] = [0, 0];
  for (const { asRead, asSuspect, inside, site } of pages) {
    if (!asRead) continue;
    const chance = inside === undefined ? chanceOf(weighed(asRead, read)) : Number(inside);
    inRead += chance;
    seen.push({ features: asSuspect, belongs: chance, site, weight: timesOf(site) });
    if (inside === undefined) uncertain.push({ site, chance });
  }
  const suspects = fitLogOdds(seen, start.suspects);
  const unread: Chance[] = pages.flatMap(({ asRead, asSuspect, inside, site }) =>
    asRead
      ? []
      : [{ site, chance: inside === undefined ? chanceOf(weighed(asSuspect, suspects)) : Number(inside) }],
  );
  for (const { chance } of unread) inUnread += chance;
  return {
    read: inRead,
    unread: inUnread,
    variance: spread(uncertain, agreement(judged, read)) + spread(unread, agreement(seen, suspects)),
  };
}

interface Chance {
  readonly site: string;
  readonly chance: number;
}

function bySite<T extends { readonly site: string }>(all: readonly T[]): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(one.site);
    if (group) group.push(one);
    else groups.set(one.site, [one]);
  }
  return [...groups.values()];
}

/** Σ p(1 − p) · (1 + (m − 1)ρ), site by site. */
function spread(chances: readonly Chance[], rho: number): number {
  return bySite(chances).reduce((sum, pages) => {
    const variance = pages.reduce((own, { chance }) => own + chance * (1 - chance), 0);
    return sum + variance * (1 + (pages.length - 1) * rho);
  }, 0);
}

/** ρ in [0, 1]: correlation of residuals within a site, by the moments of their sums. */
function agreement(examples: readonly SitedExample[], coefficients: Coefficients): number {
  let [above, below] = [0, 0];
  for (const pages of bySite(examples)) {
    let [sum, variance] = [0, 0];
    for (const { features, belongs } of pages) {
      const p = chanceOf(weighed(features, coefficients));
      sum += belongs - p;
      variance += p * (1 - p);
    }
    above += sum ** 2 - variance;
    below += variance * (pages.length - 1);
  }
  return below > 0 ? Math.min(1, Math.max(0, above / below)) : 0;
}

/** Box-Muller. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
