/**
 * Tests whether the interval that a running archive reports for its completeness contains the truth: policies visit synthetic
 * pages whose every version is known, a share of the visits being audits; the estimate sees what the visits saw, as in `report`.
 */
import { meanRate } from '../../science/patterns/change-pattern.ts';
import { groupPages } from '../../science/patterns/groups.ts';
import { fitLearner, type PatternLearner, patternOf } from '../../science/patterns/learn.ts';
import type { Gap } from '../../science/patterns/observations.ts';
import { slotPlan, spread } from '../../science/patterns/slots.ts';
import { refreshPolicy } from '../../science/policy/refresh/policies.ts';
import type { RefreshPolicy } from '../../science/policy/refresh/policy.ts';
import type { ConfidenceInterval } from '../../science/quality/bootstrap.ts';
import { type LiveCompleteness, liveCompleteness } from '../../science/quality/live-completeness.ts';
import { experiment } from '../experiment/experiment.ts';
import { stream } from '../newspaper/random.ts';
import type { Histories } from '../policies/histories.ts';
import { coldKnowledge, memberOf } from '../policies/knowledge.ts';
import { simulate } from '../policies/simulate.ts';
import { syntheticHistories } from '../policies/synthetic.ts';

export interface LiveInput {
  /** The first seed, and how many runs. */
  readonly seed: number;
  readonly seeds: number;
  readonly pages: number;
  readonly days: number;
  /** Percent of the pages per hour. */
  readonly budgets: readonly number[];
  readonly policies: readonly string[];
  /** Share of the visits that are audits. */
  readonly audit: number;
}

export interface LiveRun {
  readonly policy: string;
  readonly budget: number;
  readonly seed: number;
  readonly perPage: MeasuredInterval;
  readonly pooled: MeasuredInterval;
}

interface MeasuredInterval extends ConfidenceInterval {
  readonly truth: number;
}

/** Consecutive visits to one page, an hour apart. */
const AUDIT_LENGTH = 24;

/** Spends some of the budget on pages drawn by lot, each visited every period for a day. */
export function audited(
  policy: RefreshPolicy,
  share: number,
  random: { int(n: number): number },
): RefreshPolicy {
  let credit = 0;
  let under: { readonly page: number; left: number }[] = [];
  return {
    name: policy.name,
    rank(state, now, budget) {
      credit += budget * share;
      for (; credit >= AUDIT_LENGTH; credit -= AUDIT_LENGTH)
        under.push({ page: random.int(state.size), left: AUDIT_LENGTH });
      under = under.filter(({ left }) => left > 0);
      for (const one of under) one.left--;
      const pages = [...new Set(under.map(({ page }) => page))].slice(0, budget);
      const ranking = policy.rank(state, now, budget - pages.length);
      const others = [...ranking.pages].filter((page) => !pages.includes(page));
      return { ...ranking, pages: Int32Array.from([...pages, ...others]) };
    },
  };
}

function oneRun(
  histories: Histories,
  policy: string,
  budget: number,
  { seed, audit }: LiveInput,
): Omit<LiveRun, 'seed'> {
  const { state, ...learning } = coldKnowledge(histories).begin({
    budget: budget / 100,
    objective: 'per-page',
  });
  const gaps: Gap[][] = histories.pages.map(() => []);
  const last = histories.pages.map(() => histories.start);
  const by = audited(refreshPolicy(policy), audit, stream(seed, 'audit'));
  const truth = simulate(histories, state, by, {
    ...{ ...learning, budget: budget / 100 },
    onVisit(seen) {
      learning.onVisit?.(seen);
      const { page, to, changed, importance } = seen;
      (gaps[page] as Gap[]).push({ from: last[page] as number, to, changed, importance });
      last[page] = to;
    },
  });
  const { perPage, pooled } = estimate(histories, gaps, last, seed);
  const beside = (interval: ConfidenceInterval | undefined, of: number): MeasuredInterval => ({
    ...(interval ?? { mean: Number.NaN, low: Number.NaN, high: Number.NaN }),
    truth: of,
  });
  return { policy, budget, perPage: beside(perPage, truth.perPage), pooled: beside(pooled, truth.pooled) };
}

/** As in access/sharpness-report/live-completeness.ts: patterns from the visits themselves, shared by groups. */
function estimate(
  { pages, zone, end }: Histories,
  gaps: readonly (readonly Gap[])[],
  last: readonly number[],
  seed: number,
): LiveCompleteness {
  const plan = slotPlan('workday-weekend', { zone });
  const learners = gaps.map((own) => fitLearner(own, plan));
  const members = pages.map(({ name }, i) => memberOf(name, learners[i] as PatternLearner));
  const groups = groupPages(members, plan);
  const random = stream(seed, 'live');
  const histories = pages.map(({ weight }, i) => {
    const own = gaps[i] ?? [];
    const shape = groups.shapes[groups.of[i] as number] as Float64Array;
    const pattern = patternOf(fitLearner(own, plan, { shape }));
    const mean = meanRate(pattern);
    const hours = (from: number, to: number): number => {
      let sum = 0;
      spread(plan, from, to, (slot, part) => {
        sum += mean > 0 ? (part * (pattern.rate[slot] as number)) / mean : part;
      });
      return sum;
    };
    return {
      weight,
      gaps: own.map(({ from, to, changed, importance }) => ({ hours: hours(from, to), changed, importance })),
      since: hours(last[i] as number, end),
    };
  });
  return liveCompleteness(histories, { random: () => random.next(), rounds: 200 });
}

export function measureLive(input: LiveInput): readonly LiveRun[] {
  const runs: LiveRun[] = [];
  for (let seed = input.seed; seed < input.seed + input.seeds; seed++) {
    const histories = syntheticHistories({ seed, pages: input.pages, train: 1, test: input.days });
    for (const policy of input.policies)
      for (const budget of input.budgets)
        runs.push({ ...oneRun(histories, policy, budget, { ...input, seed }), seed });
  }
  return runs;
}

const holds = ({ truth, low, high }: MeasuredInterval): boolean => truth >= low && truth <= high;
const share = (some: readonly boolean[]): number => some.filter(Boolean).length / Math.max(1, some.length);
const mean = (some: readonly number[]): number => some.reduce((a, b) => a + b, 0) / Math.max(1, some.length);

export const liveIntervals = experiment<LiveInput, readonly LiveRun[]>({
  name: 'live-completeness',
  title: 'Whether the interval of the completeness of a running archive holds the truth',
  method: 'Synthetic pages, cold start; the estimate sees the visits alone. Intervals of 90 %.',
  measure: measureLive,
  rows: (runs) =>
    [...new Set(runs.map(({ policy, budget }) => `${policy} ${budget}`))].map((name) => {
      const own = runs.filter(({ policy, budget }) => `${policy} ${budget}` === name);
      const [policy = '', budget = ''] = name.split(' ');
      return {
        ...{ policy, 'budget %': budget, runs: own.length },
        'per page holds': share(own.map((run) => holds(run.perPage))).toFixed(2),
        truth: mean(own.map((run) => run.perPage.truth)).toFixed(3),
        low: mean(own.map((run) => run.perPage.low)).toFixed(3),
        high: mean(own.map((run) => run.perPage.high)).toFixed(3),
        'pooled holds': share(own.map((run) => holds(run.pooled))).toFixed(2),
        'pooled truth': mean(own.map((run) => run.pooled.truth)).toFixed(3),
        'pooled low': mean(own.map((run) => run.pooled.low)).toFixed(3),
        'pooled high': mean(own.map((run) => run.pooled.high)).toFixed(3),
      };
    }),
  data: (runs) => ({ runs }),
  claims: [
    {
      statement: 'The interval holds the truth in at least 90 % of runs',
      verdict: (runs) => {
        const [perPage, pooled] = [
          share(runs.map((run) => holds(run.perPage))),
          share(runs.map((run) => holds(run.pooled))),
        ];
        const both = [perPage, pooled].filter((one) => one >= 0.9).length;
        return {
          holds: both === 2 ? 'holds' : both === 1 ? 'holds in part' : 'does not hold',
          ours: `per page ${perPage.toFixed(2)}, pooled ${pooled.toFixed(2)} of ${runs.length} runs`,
        };
      },
    },
  ],
});
