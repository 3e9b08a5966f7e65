/**
 * Every policy on the same histories, at every budget, under both measures, with the clairvoyant limit beside them.
 */
import { REFRESH_POLICY_NAMES, refreshPolicy } from '../../science/policy/refresh/policies.ts';
import { bootstrapDifference, bootstrapMean, type Interval } from '../../science/quality/bootstrap.ts';
import type { Objective } from '../../science/quality/completeness.ts';
import { stream } from '../newspaper/random.ts';
import type { Histories } from './histories.ts';
import { coldKnowledge, type KnowledgeOptions, learnedKnowledge } from './knowledge.ts';
import { clairvoyantLimit } from './limit.ts';
import { type SimulationResult, simulate } from './simulate.ts';

export interface ExperimentOptions extends KnowledgeOptions {
  /** Percent of the pages per period. */
  readonly budgets: readonly number[];
  readonly objective?: Objective;
  readonly cold?: boolean;
  readonly policies?: readonly string[];
  readonly seed?: number;
  /** Rounds of the bootstrap over pages; 0 for none. */
  readonly rounds?: number;
}

export interface PolicyOutcome {
  /** Weighted completeness per budget under the objective asked for. */
  readonly perPage: readonly number[];
  readonly pooled: readonly number[];
  /** Over pages, of the per-page measure with all pages alike. */
  readonly interval: readonly Interval[];
  readonly visits: readonly number[];
}

export interface ExperimentResult {
  readonly objective: Objective;
  readonly cold: boolean;
  readonly pages: number;
  readonly leftOut: number;
  readonly budgets: readonly number[];
  readonly policies: Readonly<Record<string, PolicyOutcome>>;
  readonly clairvoyant: { readonly perPage: readonly number[]; readonly pooled: readonly number[] };
  /** Ours against the best rival at each budget, by the objective; the difference of the per-page measure with its interval. */
  readonly against: Readonly<Record<string, readonly Comparison[]>>;
}

export interface Comparison {
  readonly budget: number;
  readonly rival: string;
  readonly ratio: number;
  readonly difference: Interval;
}

export const OURS: readonly string[] = ['expected-gain', 'expected-gain-symmetric', 'priced-gain'];

export function comparePolicies(histories: Histories, options: ExperimentOptions): ExperimentResult {
  const { budgets, objective = 'per-page', cold = false, seed = 1, rounds = 1000 } = options;
  const names = options.policies ?? REFRESH_POLICY_NAMES;
  const knowledge = cold ? coldKnowledge(histories, options) : learnedKnowledge(histories, options);
  const runs = new Map<string, SimulationResult[]>();
  for (const name of names) {
    runs.set(
      name,
      budgets.map((budget) => {
        const { state, ...listeners } = knowledge.begin(objective);
        return simulate(histories, state, refreshPolicy(name), { budget: budget / 100, ...listeners });
      }),
    );
  }
  const random = stream(seed, 'bootstrap');
  const bootstrap = { random: () => random.next(), rounds };
  const policies: Record<string, PolicyOutcome> = {};
  for (const [name, results] of runs) {
    policies[name] = {
      perPage: results.map(({ perPage }) => perPage),
      pooled: results.map(({ pooled }) => pooled),
      interval: rounds > 0 ? results.map((result) => bootstrapMean(values(result), bootstrap)) : [],
      visits: results.map(({ visits }) => visits),
    };
  }
  const limit = (measure: Objective) =>
    budgets.map((budget) => clairvoyantLimit(histories, measure, budget / 100));
  return {
    objective,
    cold,
    pages: histories.pages.length,
    leftOut: histories.leftOut,
    budgets,
    policies,
    clairvoyant: { perPage: limit('per-page'), pooled: limit('pooled') },
    against: against(runs, budgets, objective, bootstrap),
  };
}

const values = (result: SimulationResult): number[] =>
  result.pages.map(({ completeness }) => completeness ?? 0);

function against(
  runs: ReadonlyMap<string, readonly SimulationResult[]>,
  budgets: readonly number[],
  objective: Objective,
  bootstrap: { readonly random: () => number; readonly rounds: number },
): Record<string, Comparison[]> {
  const measure = (result: SimulationResult): number =>
    objective === 'pooled' ? result.pooled : result.perPage;
  const rivals = [...runs].filter(([name]) => !OURS.includes(name));
  const result: Record<string, Comparison[]> = {};
  for (const [name, mine] of runs) {
    if (!OURS.includes(name) || rivals.length === 0) continue;
    result[name] = budgets.map((budget, index) => {
      const own = mine[index] as SimulationResult;
      let best = rivals[0] as (typeof rivals)[number];
      for (const rival of rivals) {
        if (measure(rival[1][index] as SimulationResult) > measure(best[1][index] as SimulationResult))
          best = rival;
      }
      const other = best[1][index] as SimulationResult;
      return {
        budget,
        rival: best[0],
        ratio: measure(own) / measure(other),
        difference: bootstrapDifference(values(own), values(other), {
          ...bootstrap,
          rounds: Math.max(1, bootstrap.rounds),
        }),
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
