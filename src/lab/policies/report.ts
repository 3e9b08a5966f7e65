/** What `lab policies` reports: one object of plain arrays, and tables for people. */
import type { ConfidenceInterval } from '../../science/quality/bootstrap.ts';
import type { Objective } from '../../science/quality/completeness.ts';
import { textTable } from '../experiment/text-table.ts';
import type { ByObjective, ComparisonResult } from './experiment.ts';

/** Weighted completeness by one measure: an array by budget for each policy. */
interface ByMeasure {
  readonly policies: Readonly<Record<string, readonly number[]>>;
  readonly clairvoyant: readonly number[];
  /** Shares of the clairvoyant optimum; null where that is 0. */
  readonly ratios: Readonly<Record<string, readonly (number | null)[]>>;
  /** 95 %, over pages. */
  readonly intervals: Readonly<Record<string, readonly (readonly [low: number, high: number])[]>>;
}

export interface PoliciesReport extends ByMeasure {
  readonly objective: Objective;
  readonly cold: boolean;
  readonly pages: number;
  /** Pages on which nothing of any weight appeared in the test. */
  readonly leftOut: number;
  /** Percent of the pages per period. */
  readonly budgets: readonly number[];
  /** The same runs by the measure they were not made for. */
  readonly other: { readonly measure: Objective } & ByMeasure;
  /** Ours as a multiple of the rival that did best at the budget. */
  readonly against: Readonly<
    Record<
      string,
      readonly {
        readonly budget: number;
        readonly rival: string;
        readonly ratio: number;
        readonly low: number;
        readonly high: number;
      }[]
    >
  >;
}

export function policiesReport(result: ComparisonResult): PoliciesReport {
  const { objective, cold, pages, leftOut, budgets, against } = result;
  const measure = objective === 'pooled' ? 'per-page' : 'pooled';
  return {
    objective,
    cold,
    pages,
    leftOut,
    budgets,
    ...byMeasure(result, objective),
    other: { measure, ...byMeasure(result, measure) },
    against: mapValues(against, (list) =>
      list.map(({ budget, rival, ratio }) => ({
        budget,
        rival,
        ratio: ratio.mean,
        low: ratio.low,
        high: ratio.high,
      })),
    ),
  };
}

function byMeasure({ policies, clairvoyant }: ComparisonResult, measure: Objective): ByMeasure {
  const field: keyof ByObjective<number> = measure === 'pooled' ? 'pooled' : 'perPage';
  const limit = clairvoyant[field];
  return {
    policies: mapValues(policies, (outcome) => outcome[field]),
    clairvoyant: limit,
    ratios: mapValues(policies, (outcome) =>
      outcome[field].map((value, i) => ((limit[i] as number) > 0 ? value / (limit[i] as number) : null)),
    ),
    intervals: mapValues(policies, ({ intervals }) =>
      intervals[field].map(({ low, high }: ConfidenceInterval) => [low, high] as const),
    ),
  };
}

const mapValues = <A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

export function policiesTable(report: PoliciesReport): string {
  const { objective, cold, pages, leftOut, budgets, other, against } = report;
  const head = `${pages} pages${leftOut > 0 ? ` (${leftOut} without a change left out)` : ''}, objective ${objective}, ${
    cold ? 'cold start' : 'patterns learned before'
  }; budgets in % of the pages per period`;
  const ours = Object.entries(against).flatMap(([name, list]) =>
    list.map(({ budget, rival, ratio, low, high }) => [
      name,
      `${budget} %`,
      rival,
      `${ratio.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`,
    ]),
  );
  return [
    head,
    `\nWeighted completeness, ${objective}, and its share of the clairvoyant optimum`,
    measureTable(report, budgets),
    `\nThe same runs, measured ${other.measure}`,
    measureTable(other, budgets),
    ...(ours.length === 0
      ? []
      : [
          '\nAs a multiple of the best rival, with 95 % intervals over pages',
          textTable(['policy', 'budget', 'best rival', 'ratio'], ours),
        ]),
    '',
  ].join('\n');
}

function measureTable({ policies, ratios, clairvoyant }: ByMeasure, budgets: readonly number[]): string {
  const rows = Object.entries(policies).map(([name, values]) => [
    name,
    ...values.map((value, i) => {
      const share = ratios[name]?.[i] ?? null;
      return `${value.toFixed(3)}${share === null ? '' : `  ${(100 * share).toFixed(0)} %`}`;
    }),
  ]);
  return textTable(
    ['policy', ...budgets.map((budget) => `${budget} %`)],
    [...rows, ['clairvoyant', ...clairvoyant.map((value) => value.toFixed(3))]],
  );
}
