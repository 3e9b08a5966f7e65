/** Every policy on the same histories, at every budget, under both measures, compared with the clairvoyant limit. */
import { REFRESH_POLICY_NAMES, refreshPolicy } from '../../science/policy/refresh/policies.ts';
import { bootstrapRatio, type ConfidenceInterval } from '../../science/quality/bootstrap.ts';
import type { Objective } from '../../science/quality/completeness.ts';
import { stream } from '../newspaper/random.ts';
import type { Histories } from './histories.ts';
import { coldKnowledge, type Knowledge, type KnowledgeOptions, learnedKnowledge } from './knowledge.ts';
import { clairvoyantLimit } from './limit.ts';
import { type SimulationResult, simulate } from './simulate.ts';

export interface ComparisonOptions extends KnowledgeOptions {
  /** Percent of the pages per period. */
  readonly budgets: readonly number[];
  /** Seconds from one round of visits to the next; an hour by default, whatever the periods of the patterns. */
  readonly period?: number;
  readonly objective?: Objective;
  readonly cold?: boolean;
  /** Whether visits may be saved for later, by the policies that have a price and by the limit; false by default. */
  readonly bank?: boolean;
  /** Used instead of what would be learned; several experiments may share it. */
  readonly knowledge?: Knowledge;
  readonly policies?: readonly string[];
  readonly seed?: number | string;
  /** Bootstrap rounds over pages; 0 for none. */
  readonly rounds?: number;
}

/** One number per budget. */
export interface ByObjective<T> {
  readonly perPage: readonly T[];
  readonly pooled: readonly T[];
}

/** Weighted completeness, by both measures, of the runs with the chosen objective. */
export interface PolicyOutcome extends ByObjective<number> {
  /** Intervals over pages; empty without rounds. */
  readonly intervals: ByObjective<ConfidenceInterval>;
  readonly visits: readonly number[];
}

export interface ComparisonResult {
  readonly objective: Objective;
  readonly cold: boolean;
  readonly bank: boolean;
  readonly pages: number;
  readonly leftOut: number;
  readonly budgets: readonly number[];
  readonly policies: Readonly<Record<string, PolicyOutcome>>;
  readonly clairvoyant: ByObjective<number>;
  /** Ours against the best rival at each budget, by the measure of the objective. */
  readonly against: Readonly<Record<string, readonly PolicyComparison[]>>;
}

export interface PolicyComparison {
  readonly budget: number;
  readonly rival: string;
  /** `mean` is over all pages; the bootstrap draws pages, each with what both policies got from it. */
  readonly ratio: ConfidenceInterval;
}

export const OURS: readonly string[] = ['expected-gain', 'expected-gain-symmetric', 'priced-gain'];

export function comparePolicies(histories: Histories, options: ComparisonOptions): ComparisonResult {
  const { budgets, objective = 'per-page', cold = false, seed = 1, rounds = 1000, period = 3600 } = options;
  const bank = options.bank ?? false;
  const names = options.policies ?? REFRESH_POLICY_NAMES;
  const knowledge = options.knowledge ?? (cold ? coldKnowledge : learnedKnowledge)(histories, options);
  const runs = new Map<string, SimulationResult[]>();
  for (const name of names) {
    runs.set(
      name,
      budgets.map((budget) => {
        const run = { budget: budget / 100, period, bank };
        const { state, ...listeners } = knowledge.begin({ objective, ...run });
        return simulate(histories, state, refreshPolicy(name), { ...run, ...listeners });
      }),
    );
  }
  const random = stream(seed, 'bootstrap');
  const bootstrap = { random: () => random.next(), rounds };
  const policies: Record<string, PolicyOutcome> = {};
  for (const [name, results] of runs) {
    const intervals = (measure: Objective): ConfidenceInterval[] =>
      rounds === 0 ? [] : results.map((result) => intervalOf(histories, result, measure, bootstrap));
    policies[name] = {
      perPage: results.map(({ perPage }) => perPage),
      pooled: results.map(({ pooled }) => pooled),
      intervals: { perPage: intervals('per-page'), pooled: intervals('pooled') },
      visits: results.map(({ visits }) => visits),
    };
  }
  const limit = (measure: Objective) =>
    budgets.map((budget) => clairvoyantLimit(histories, measure, { budget: budget / 100, period, bank }));
  return {
    objective,
    cold,
    bank,
    pages: histories.pages.length,
    leftOut: histories.leftOut,
    budgets,
    policies,
    clairvoyant: { perPage: limit('per-page'), pooled: limit('pooled') },
    against: against(histories, runs, budgets, objective, bootstrap),
  };
}

interface Bootstrap {
  readonly random: () => number;
  readonly rounds: number;
}

/** What each page contributes to the measure: part and whole. */
function contributions(
  histories: Histories,
  { pages }: SimulationResult,
  measure: Objective,
): { readonly got: readonly number[]; readonly all: readonly number[] } {
  const weight = (index: number): number => histories.pages[index]?.weight ?? 1;
  return measure === 'pooled'
    ? {
        got: pages.map(({ captured }, i) => weight(i) * captured),
        all: pages.map(({ appeared }, i) => weight(i) * appeared),
      }
    : {
        got: pages.map(({ completeness }, i) => weight(i) * (completeness ?? 0)),
        all: pages.map((_, i) => weight(i)),
      };
}

function intervalOf(
  histories: Histories,
  result: SimulationResult,
  measure: Objective,
  bootstrap: Bootstrap,
): ConfidenceInterval {
  const { got, all } = contributions(histories, result, measure);
  return bootstrapRatio(got, all, bootstrap);
}

function against(
  histories: Histories,
  runs: ReadonlyMap<string, readonly SimulationResult[]>,
  budgets: readonly number[],
  objective: Objective,
  bootstrap: Bootstrap,
): Record<string, PolicyComparison[]> {
  const measure = (results: readonly SimulationResult[], index: number): number => {
    const result = results[index] as SimulationResult;
    return objective === 'pooled' ? result.pooled : result.perPage;
  };
  const rivals = [...runs].filter(([name]) => !OURS.includes(name));
  const result: Record<string, PolicyComparison[]> = {};
  for (const [name, mine] of runs) {
    if (!OURS.includes(name) || rivals.length === 0) continue;
    result[name] = budgets.map((budget, index) => {
      const [rival, theirs] = rivals.reduce((best, next) =>
        measure(next[1], index) > measure(best[1], index) ? next : best,
      );
      const [a, b] = [mine, theirs].map(
        (results) => contributions(histories, results[index] as SimulationResult, objective).got,
      ) as [number[], number[]];
      // Both are shares of the same whole, which cancels out of the ratio.
      return {
        budget,
        rival,
        ratio: bootstrapRatio(a, b, { ...bootstrap, rounds: Math.max(1, bootstrap.rounds) }),
      };
    });
  }
  return result;
}

/** Mean and standard deviation over several seeds or windows, budget by budget. */
export function meanAndSpread(runs: readonly (readonly number[])[]): {
  readonly mean: number[];
  readonly spread: number[];
} {
  const [first = []] = runs;
  const mean = first.map(
    (_, index) => runs.reduce((sum, run) => sum + (run[index] as number), 0) / runs.length,
  );
  const spread = mean.map((value, index) => {
    if (runs.length < 2) return 0;
    const squares = runs.reduce((sum, run) => sum + ((run[index] as number) - value) ** 2, 0);
    return Math.sqrt(squares / (runs.length - 1));
  });
  return { mean, spread };
}
