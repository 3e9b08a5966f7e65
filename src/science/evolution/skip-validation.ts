/**
 * Plans for versions known by now: what the site's own past says about a plan's promise. A promise is the mean of
 * what such plans missed there and of the model's own expectation, counted as if seen in several more versions.
 *
 *   G(b) = (Σ_r found_r(b) + m₀ · κ · b) / (R + m₀)
 *
 *   b           share of changes that the model expects to be missed
 *   found_r(b)  share that a plan with that b did miss in version r        R: versions with a change
 *   m₀          versions that the model's expectation is worth             `PRIOR_VERSIONS`
 *   κ           by how much the model is too optimistic on other sites     `OPTIMISM`
 *
 * Ten versions alone are too few to say that little is missed (aimed at .90, such a validation got .88); the model alone
 * knows nothing of this site. m₀ and κ were chosen by trial on the histories of docs/directories-study.md, each left out in turn.
 */
import { changeFeatures, changesOf } from './change-features.ts';
import { type ChangeCoefficients, changeShares } from './change-model.ts';
import type { DirectoryHistory } from './directory-history.ts';
import type { SkipValidation } from './skip-plan.ts';

const PRIOR_VERSIONS = 5;
const OPTIMISM = 1.15;
/** Past versions that are planned for, the latest ones; and the number of transitions each must have before it. */
const REPLAYS = 11;
const MIN_TRANSITIONS = 8;

/** Budgets tried: 0, then evenly spaced logarithms up to 1. */
const BUDGETS = [0, ...Array.from({ length: 60 }, (_, i) => 0.002 * 500 ** (i / 59))];

/** Directories by how little is missed per page left out. */
export interface CostRanking {
  /** Indices into the ranked list, cheapest first. */
  readonly order: readonly number[];
  /** Sum of the shares up to and including each. */
  readonly expected: Float64Array;
}

/**
 * A directory that costs more per page than the site's average page is never left out: any other page would do as well. `open`
 * says which may be left out at all.
 */
export function rankByCost(
  shares: Float64Array,
  pages: Float64Array,
  open: (place: number) => boolean = () => true,
): CostRanking {
  const total = pages.reduce((a, b) => a + b, 0);
  const cost = shares.map((share, i) => (share * total) / (pages[i] as number));
  const order = Array.from(shares.keys())
    .filter((i) => (pages[i] as number) > 0 && (cost[i] as number) < 1 && open(i))
    .sort((a, b) => (cost[a] as number) - (cost[b] as number) || a - b);
  let sum = 0;
  const expected = Float64Array.from(order, (i) => (sum += shares[i] as number));
  return { order, expected };
}

/** How many directories from the front of the ranking fit the budget. */
export function within({ expected }: CostRanking, budget: number): number {
  let [low, high] = [0, expected.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((expected[middle] as number) <= budget) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Replay {
  readonly ranking: CostRanking;
  /** After each step of the ranking: share of the changes missed, share of the pages left out. */
  readonly missed: Float64Array;
  readonly bypassed: Float64Array;
}

export class PastPlans {
  readonly #replays: Replay[] = [];
  readonly #found: readonly number[];
  readonly versions: number;

  constructor(history: DirectoryHistory, coefficients: ChangeCoefficients) {
    const first = Math.max(MIN_TRANSITIONS, history.transitions - REPLAYS);
    this.versions = Math.max(0, history.transitions - first);
    for (let version = first; version < history.transitions; version++) {
      const replay = replayed(history, version, coefficients);
      if (replay) this.#replays.push(replay);
    }
    let highest = 0;
    this.#found = BUDGETS.map((budget) => {
      const found = this.#mean(budget, ({ missed }) => missed) * this.changed;
      const corrected = (found + PRIOR_VERSIONS * OPTIMISM * budget) / (this.changed + PRIOR_VERSIONS);
      highest = Math.max(highest, corrected);
      return highest;
    });
  }

  /** Number of versions with a change. */
  get changed(): number {
    return this.#replays.length;
  }

  /** The share of changes that a plan misses when the model expects `expected`. */
  promise(expected: number): number {
    const above = BUDGETS.findIndex((budget) => budget >= expected);
    if (above <= 0) return above === 0 ? 0 : 1;
    const [low, high] = [BUDGETS[above - 1], BUDGETS[above]] as [number, number];
    const [from, to] = [this.#found[above - 1], this.#found[above]] as [number, number];
    return from + ((to - from) * (expected - low)) / (high - low);
  }

  /** The most that the model may expect to miss if the promise is to be kept. */
  budgetFor(missAtMost: number): number {
    return BUDGETS.findLast((_, i) => (this.#found[i] as number) <= missAtMost) ?? 0;
  }

  /** What plans with this budget did. */
  validation(budget: number): SkipValidation {
    return {
      versions: this.versions,
      changed: this.changed,
      bypassRatio: this.#mean(budget, ({ bypassed }) => bypassed),
      promisedMiss: this.#mean(budget, ({ ranking }) => ranking.expected),
      foundMiss: this.#mean(budget, ({ missed }) => missed),
    };
  }

  #mean(budget: number, of: (replay: Replay) => Float64Array): number {
    if (this.changed === 0) return 0;
    const sum = this.#replays.reduce((all, replay) => {
      const count = within(replay.ranking, budget);
      return all + (count === 0 ? 0 : (of(replay)[count - 1] as number));
    }, 0);
    return sum / this.changed;
  }
}

/** Undefined where nothing changed: then nothing could be missed. */
function replayed(
  history: DirectoryHistory,
  version: number,
  coefficients: ChangeCoefficients,
): Replay | undefined {
  const features = changeFeatures(history, version, history.timeOf(version + 1));
  const { directories, pages, spans } = features;
  const outcome = outcomeOf(history, version);
  if (outcome.changed === 0) return undefined;
  // Nobody knows what happened where there was no observation.
  const isKnown = (place: number): boolean => (spans[place] as number) > 0;
  const ranking = rankByCost(changeShares(features, coefficients), pages, isKnown);
  const sums = (counts: Float64Array, all: number): Float64Array => {
    let sum = 0;
    return Float64Array.from(ranking.order, (place) => {
      sum += counts[directories[place] as number] as number;
      return all === 0 ? 0 : sum / all;
    });
  };
  return {
    ranking,
    missed: sums(outcome.changes, outcome.changed),
    bypassed: sums(outcome.after, outcome.pages),
  };
}

export interface PlanOutcome {
  /** Per directory: pages that changed, and pages afterwards. */
  readonly changes: Float64Array;
  readonly after: Float64Array;
  readonly changed: number;
  readonly pages: number;
}

/**
 * What the transition from this version on brought, where there were observations. A new directory counts with the nearest
 * ancestor that had pages: leaving that out means not finding the new one.
 */
export function outcomeOf(history: DirectoryHistory, version: number): PlanOutcome {
  const observed = history.observations(version);
  const size = observed.span.length;
  const [changes, after] = [new Float64Array(size), new Float64Array(size)];
  let [changed, pages] = [0, 0];
  for (let d = 0; d < size; d++) {
    if (observed.span[d] === 0) continue;
    const found = changesOf(observed, d);
    const left =
      (observed.pages[d] as number) + (observed.inserted[d] as number) - (observed.deleted[d] as number);
    changed += found;
    pages += left;
    const at = holderOf(d, history, observed.pages);
    if (at < 0) continue;
    changes[at] = (changes[at] as number) + found;
    after[at] = (after[at] as number) + left;
  }
  return { changes, after, changed, pages };
}

/** The directory itself, or its nearest ancestor that holds pages; −1 if none does. */
export function holderOf(directory: number, { tree }: DirectoryHistory, pages: Int32Array): number {
  let at = directory;
  while (at >= 0 && (pages[at] ?? 0) === 0) at = tree.parent(at);
  return at;
}
