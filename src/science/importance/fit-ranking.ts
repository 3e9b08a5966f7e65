/**
 * Weights of several scores that rank pages as a person did (French web 2002, § 3.3 and § 6: librarians' rankings decide which
 * criteria count). For each pair of pages that the person decides, the log-odds that the first is the more important one are
 * w · (its scores − the other's): Bradley and Terry's model (1952) with scores in place of free strengths, fitted as logistic
 * regression with a normal prior around 0.
 *
 * Pairs that share a page are not independent: all pairs together weigh as much as there are pages. The width of the prior is
 * chosen by cross-validation over pages. Quality is measured by `heldOutScores`: each page is scored by weights that were fitted,
 * prior included, without it.
 *
 * Cost: a few passes over the pairs, of which at most `MOST_PAIRS` are drawn, for each fold, repetition and prior.
 */
import { fitLogOdds, type JudgedExample, weighed } from '../perimeter/fit-log-odds.ts';
import { type Combination, combination, standardised } from './combine-scores.ts';

export interface RankedPage {
  /** On a scale on which differences are meaningful: see `onLogScale`. */
  readonly scores: readonly number[];
  /** 1 is the most important; pages that the person does not distinguish have the same rank. */
  readonly rank: number;
}

export interface FitRankingOptions {
  /** In [0, 1); seeded by the caller. */
  readonly random: () => number;
  readonly folds?: number;
  /** How many times pages are cut into folds, for held-out scores. */
  readonly repetitions?: number;
}

const FOLDS = 5;
const REPETITIONS = 5;
/** Beyond this, a sample of pairs says as much. */
const MOST_PAIRS = 4000;
/** Standard deviations of the prior of a weight, smallest first: a larger one is taken only if it is better. */
const DOUBTS = [0.1, 0.3, 1, 3] as const;

/** Weights for scores in standard deviations. If no pages are distinguished, all are 0. */
export function fitRanking(pages: readonly RankedPage[], options: FitRankingOptions): Combination {
  const { scale, plain } = onCommonScale(pages);
  const weights = fittedWeights(plain, chooseDoubt(plain, options), options.random);
  return scale.map((score, j) => ({ ...score, weight: weights[j] as number }));
}

/**
 * One score per page, by weights fitted to the others; undefined with fewer than four pages, which leave none to learn from.
 * The weights of each fold are scaled to length 1: only order counts, and pages of different folds are compared.
 */
export function heldOutScores(
  pages: readonly RankedPage[],
  options: FitRankingOptions,
): Float64Array | undefined {
  if (pages.length < 4) return undefined;
  const { random, repetitions = REPETITIONS } = options;
  const { plain } = onCommonScale(pages);
  const scores = new Float64Array(pages.length);
  for (let k = 0; k < repetitions; k++) {
    for (const { inside, outside } of foldsOf(plain.length, options)) {
      const known = outside.map((i) => plain[i] as RankedPage);
      const weights = fittedWeights(known, chooseDoubt(known, options), random);
      const length = Math.hypot(...weights) || 1;
      for (const i of inside) {
        const score = weighed((plain[i] as RankedPage).scores, weights) / length;
        scores[i] = (scores[i] as number) + score / repetitions;
      }
    }
  }
  return scores;
}

function onCommonScale(pages: readonly RankedPage[]): { scale: Combination; plain: RankedPage[] } {
  const size = pages[0]?.scores.length ?? 0;
  const columns = Array.from({ length: size }, (_, j) => pages.map(({ scores }) => scores[j] as number));
  const scale = combination(columns, new Array<number>(size).fill(0));
  return { scale, plain: pages.map(({ scores, rank }) => ({ rank, scores: standardised(scores, scale) })) };
}

const fittedWeights = (
  pages: readonly RankedPage[],
  doubt: number,
  random: () => number,
): readonly number[] =>
  fitLogOdds(pairExamples(pages, random), new Array<number>(pages[0]?.scores.length ?? 0).fill(0), doubt);

/** Each decided pair as the difference of its scores, the more important page first. */
function pairExamples(pages: readonly RankedPage[], random: () => number): JudgedExample[] {
  const pairs: (readonly [RankedPage, RankedPage])[] = [];
  const take = (a: RankedPage, b: RankedPage): void => {
    if (a.rank !== b.rank) pairs.push(a.rank < b.rank ? [a, b] : [b, a]);
  };
  if ((pages.length * (pages.length - 1)) / 2 <= MOST_PAIRS) {
    for (const [i, a] of pages.entries()) for (const b of pages.slice(i + 1)) take(a, b);
  } else {
    const any = (): RankedPage => pages[Math.floor(random() * pages.length)] as RankedPage;
    for (let k = 0; k < MOST_PAIRS; k++) take(any(), any());
  }
  const weight = pages.length / Math.max(1, pairs.length);
  return pairs.map(([first, second]) => ({
    features: first.scores.map((score, j) => score - (second.scores[j] as number)),
    belongs: 1,
    weight,
  }));
}

/** The prior under which held-out pairs of pages are least surprising. */
function chooseDoubt(pages: readonly RankedPage[], options: FitRankingOptions): number {
  const folds = pages.length < 4 ? [] : foldsOf(pages.length, options);
  const surprises = DOUBTS.map((doubt) => {
    let [sum, count] = [0, 0];
    for (const { inside, outside } of folds) {
      const known = outside.map((i) => pages[i] as RankedPage);
      const weights = fittedWeights(known, doubt, options.random);
      const scored = inside.map((i) => {
        const { scores, rank } = pages[i] as RankedPage;
        return { rank, scores: [weighed(scores, weights)] };
      });
      for (const { features } of pairExamples(scored, options.random)) {
        sum += Math.log1p(Math.exp(-(features[0] as number)));
        count++;
      }
    }
    return count > 0 ? sum / count : 0;
  });
  return DOUBTS[surprises.indexOf(Math.min(...surprises))] as number;
}

interface Fold {
  readonly inside: readonly number[];
  readonly outside: readonly number[];
}

/** Folds of at least two pages each, so that every fold has a pair. */
function foldsOf(pages: number, { random, folds = FOLDS }: FitRankingOptions): Fold[] {
  const order = Array.from({ length: pages }, (_, i) => i);
  for (let i = pages - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  const count = Math.min(folds, Math.floor(pages / 2));
  return Array.from({ length: count }, (_, fold) => ({
    inside: order.filter((_page, place) => place % count === fold),
    outside: order.filter((_page, place) => place % count !== fold),
  }));
}
