/**
 * Completeness of an archive whose truth nobody knows: Def. 3 and 4 and the pooled measure (completeness.ts), and freshness, each
 * with an interval, from what the visits saw.
 *
 * M. Ben Saad, S. Gançarski: Archiving the web using page changes patterns: a case study. IJDL 13 (2012), §3.
 *
 * The idea. Between two visits a page changed N times; the later visit captured the last of these versions, the other N − 1 are
 * missed. Whether N is 0 is seen. How large it was follows from the page's rate, which its visits reveal: most of all those that
 * came soon after another, which is what audits are for. So: which rates fit what was seen of each page, and how many versions and
 * how much importance went by under each of them; drawn many times, that gives the interval.
 *
 *   a_j    hours of gap j, each weighted by how lively that hour of the page's pattern is (1 on average)   → PatternGap.hours
 *   λ      mean changes per such hour
 *   v      how much a page's rate fluctuates beyond that, by bursts and unknown hours: in each gap it is λ·G, G of mean 1
 *          and variance v. P(gap j saw no change) = E e^{−λ·G·a_j} = (1 + v·λ·a_j)^{−1/v}; one v for all pages
 *   m_j    importance of the change that gap j saw, compared with the version captured before      → PatternGap.importance
 *   π(λ)   share of pages with that rate, by which a page that reveals little is taken for one of the others
 *
 * 1. For each v, π on a grid of rates, by EM over all pages (Kiefer and Wolfowitz 1956; Laird 1978), with half a page spread
 *    over the grid. Short gaps next to long ones tell what v is: where all are equal, any v fits, and the interval is wide.
 * 2. A round: v by how well it fits; λ of each page from its posterior; G and N of each changed gap given that N is not 0; for the
 *    time since the last visit, N from 0 on. Importances compound, 1 − m = Π(1 − i), so −ln(1 − m) is divided among N uniformly at random.
 * 3. Quantiles over rounds.
 *
 * Departures from the truth, each a limit of what it says. Changes that undo each other between visits are not seen. Bursts are
 * alike on all pages. Visits must not be made because a change is known: a signal ends a gap when it would not otherwise have ended.
 *
 * Cost: O(pages × gaps × (grid + rounds)).
 */
import type { ConfidenceInterval } from './bootstrap.ts';
import { exponential, gamma, poisson } from './draws.ts';
import {
  cumulated,
  GRID,
  type PatternGap,
  type RateFit,
  ratesGiven,
  type SeenHistory,
  SHORTEST,
  unchangedLog,
} from './rate-fit.ts';

export interface LiveCompleteness {
  /** Def. 4: each page by its own total. Undefined when nothing of any weight appeared. */
  readonly perPage?: ConfidenceInterval;
  /** All captured weight ÷ all weight. */
  readonly pooled?: ConfidenceInterval;
  /** Chance that a page, weighted by its importance, is now as it was last captured. */
  readonly freshness?: ConfidenceInterval;
  /** Number of pages visited at least twice: everything above is about them. */
  readonly pages: number;
  readonly visits: number;
}

export interface LiveOptions {
  /** In [0, 1); seeded by the caller. */
  readonly random: () => number;
  readonly rounds?: number;
  /** Share of rounds inside the interval. */
  readonly confidence?: number;
}

/** Number of versions in one gap beyond which they are not drawn one by one. */
const MANY = 40;
/** Up to this many expected changes in a gap, the one seen is all that is known of G; and tries at drawing G otherwise. */
const FEW = 0.05;
const TRIES = 400;
/** Stands in for an importance of 1 when it is divided; above it, each version counts 1. */
const WHOLE = 1 - 1e-9;

/** v, all equally likely a priori. 0: changes follow a Poisson law at the rate of the pattern. */
const VARIANCES = [0, 0.25, 0.5, 1, 2, 4] as const;
/**
 * How much the observations count in the choice of v: gaps of a page are not as independent as the likelihood assumes, and taken
 * literally it would make one v certain. Chosen on synthetic pages, seeds 101 to 103 at 5, 10 and 30 % (docs/patterns-study.md).
 */
const TRUST = 0.002;

export function liveCompleteness(
  histories: readonly SeenHistory[],
  { random, rounds = 400, confidence = 0.9 }: LiveOptions,
): LiveCompleteness {
  const pages = histories.filter(({ gaps }) => gaps.length > 0);
  const visits = histories.reduce((sum, { gaps }) => sum + gaps.length + 1, 0);
  if (pages.length === 0) return { pages: 0, visits };
  const fits = VARIANCES.map((variance) => ratesGiven(pages, variance));
  const best = Math.max(...fits.map(({ log }) => log));
  const chances = cumulated(Float64Array.from(fits, ({ log }) => Math.exp(TRUST * (log - best))));
  const drawn = { perPage: [] as number[], pooled: [] as number[], freshness: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const { perPage, pooled, freshness } = oneRound(
      pages,
      fits[drawnIndex(chances, random())] as RateFit,
      random,
    );
    if (perPage !== undefined) drawn.perPage.push(perPage);
    if (pooled !== undefined) drawn.pooled.push(pooled);
    drawn.freshness.push(freshness);
  }
  const named = (name: keyof typeof drawn) => {
    const interval = intervalOf(drawn[name], confidence);
    return interval && { [name]: interval };
  };
  return { ...named('perPage'), ...named('pooled'), ...named('freshness'), pages: pages.length, visits };
}

interface DrawnPage {
  readonly weight: number;
  captured: number;
  appeared: number;
  /** −ln(1 − importance) summed over all versions, and how many these were. */
  shared: number;
  versions: number;
  /** Number of changes since the last visit. */
  readonly since: number;
}

function oneRound(
  pages: readonly SeenHistory[],
  { variance, rates }: RateFit,
  random: () => number,
): { readonly perPage?: number; readonly pooled?: number; readonly freshness: number } {
  let [weights, fresh, shared, versions] = [0, 0, 0, 0];
  const drawn = pages.map(({ weight, gaps, since }, i): DrawnPage => {
    const rate = GRID[drawnIndex(rates[i] as Float64Array, random())] as number;
    const page = {
      weight,
      captured: 0,
      appeared: 0,
      shared: 0,
      versions: 0,
      since: poisson(rate * since * swing(variance, 0, random), random),
    };
    for (const gap of gaps)
      if (gap.changed)
        drawGap(page, gap, aboveZero(rate * Math.max(gap.hours, SHORTEST), variance, random), random);
    weights += weight;
    fresh += weight * Math.exp(unchangedLog(rate * since, variance));
    shared += page.shared;
    versions += page.versions;
    return page;
  });
  const usual = versions > 0 ? shared / versions : 0;
  let [captured, appeared, complete, counted] = [0, 0, 0, 0];
  for (const page of drawn) {
    // What nobody has seen yet is assumed to matter as much as what was seen of the page, or of the others.
    const mean = page.versions > 0 ? page.shared / page.versions : usual;
    for (let i = 0; i < Math.min(page.since, MANY); i++)
      page.appeared += -Math.expm1(-mean * exponential(random)) * Math.max(1, page.since / MANY);
    captured += page.weight * page.captured;
    appeared += page.weight * page.appeared;
    if (page.appeared <= 0) continue;
    complete += (page.weight * page.captured) / page.appeared;
    counted += page.weight;
  }
  return {
    ...(counted > 0 && { perPage: complete / counted }),
    ...(appeared > 0 && { pooled: captured / appeared }),
    freshness: fresh / weights,
  };
}

function drawGap(page: DrawnPage, { importance }: PatternGap, count: number, random: () => number): void {
  page.versions += count;
  if (importance >= WHOLE) {
    page.captured += 1;
    page.appeared += count;
    page.shared += count * -Math.log(1 - WHOLE);
    return;
  }
  const total = -Math.log1p(-importance);
  page.shared += total;
  if (count > MANY) {
    page.captured += -Math.expm1((-total / count) * exponential(random));
    page.appeared += -count * Math.expm1(-total / count);
    return;
  }
  const parts = Array.from({ length: count }, () => exponential(random));
  const sum = parts.reduce((a, b) => a + b, 0);
  for (const part of parts) page.appeared += -Math.expm1((-total * part) / sum);
  page.captured += -Math.expm1((-total * (parts[0] ?? 0)) / sum);
}

function drawnIndex(cumulated: Float64Array, at: number): number {
  let low = 0;
  let high = cumulated.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cumulated[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** G: of mean 1 and this variance; given `seen` changes, where few are expected. */
function swing(variance: number, seen: number, random: () => number): number {
  return variance === 0 ? 1 : variance * gamma(1 / variance + seen, random);
}

/** Number of changes in a gap where `expected` are expected, given that there is at least one. */
function aboveZero(expected: number, variance: number, random: () => number): number {
  let mean = expected * (variance === 0 ? 1 : swing(variance, 1, random));
  // Where many are expected, one having happened says little about G: it is drawn until it lets one happen.
  if (variance > 0 && expected > FEW) {
    for (let tries = 0; tries < TRIES; tries++) {
      const tried = expected * swing(variance, 0, random);
      if (random() >= -Math.expm1(-tried)) continue;
      mean = tried;
      break;
    }
  }
  if (mean > 50) return Math.max(1, poisson(mean, random));
  let left = random() * -Math.expm1(-mean);
  let chance = mean * Math.exp(-mean);
  let count = 1;
  while (left > chance && count < 1000) {
    left -= chance;
    count++;
    chance *= mean / count;
  }
  return count;
}

/** `mean` is that of the rounds. */
function intervalOf(drawn: readonly number[], confidence: number): ConfidenceInterval | undefined {
  if (drawn.length === 0) return undefined;
  const sorted = [...drawn].sort((a, b) => a - b);
  const at = (quantile: number): number => sorted[Math.round(quantile * (sorted.length - 1))] as number;
  return {
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    low: at((1 - confidence) / 2),
    high: at((1 + confidence) / 2),
  };
}
