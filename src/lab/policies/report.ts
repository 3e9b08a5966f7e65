/** `lab policies`: every policy on the same histories, as one object of plain arrays, tables and figures. */
import type { ConfidenceInterval } from '../../science/quality/bootstrap.ts';
import type { Objective } from '../../science/quality/completeness.ts';
import { experiment } from '../experiment/experiment.ts';
import type { PlotDescription } from '../experiment/plot.ts';
import type { Table } from '../experiment/text-table.ts';
import {
  type ByObjective,
  type ComparisonOptions,
  type ComparisonResult,
  comparePolicies,
} from './experiment.ts';
import type { Histories } from './histories.ts';
import type { Windows } from './time-window.ts';

/** Weighted completeness by one measure: for each policy an array by budget. */
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
  /** Whether visits could be saved for later. */
  readonly bank: boolean;
  readonly pages: number;
  /** Pages on which nothing of any weight appeared in the test. */
  readonly leftOut: number;
  /** Percent of the pages per period. */
  readonly budgets: readonly number[];
  /** The same runs, by the measure that was not their objective. */
  readonly other: { readonly measure: Objective } & ByMeasure;
  /** Ours as a multiple of the best rival at that budget. */
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
  const { objective, cold, bank, pages, leftOut, budgets, against } = result;
  const measure = objective === 'pooled' ? 'per-page' : 'pooled';
  return {
    objective,
    cold,
    bank,
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

export interface PoliciesInput extends ComparisonOptions {
  readonly histories: Histories;
  readonly windows: Windows;
}

export const policies = experiment<PoliciesInput, PoliciesReport & Windows>({
  name: 'policies',
  title: 'What refresh policies capture with the same visits',
  method: 'Weighted completeness of each policy at each budget, the clairvoyant optimum beside it.',
  measure: ({ histories, windows, ...options }) => ({
    ...policiesReport(comparePolicies(histories, options)),
    ...windows,
  }),
  text: (report) => [
    headline(report),
    measureTable(
      report,
      report.budgets,
      `Weighted completeness, ${report.objective}, and its share of the clairvoyant optimum`,
    ),
    measureTable(report.other, report.budgets, `The same runs, measured ${report.other.measure}`),
    ...(Object.keys(report.against).length === 0 ? [] : [againstTable(report)]),
  ],
  data: (report) => report,
  plots: (report) => [
    measurePlot(report, { ...report, measure: report.objective }),
    measurePlot(report, report.other),
  ],
});

const headline = ({ train, test, pages, leftOut, objective, cold, bank }: PoliciesReport & Windows): string =>
  `${train} days of training, ${test} of test; ` +
  `${pages} pages${leftOut > 0 ? ` (${leftOut} without a change left out)` : ''}, objective ${objective}, ` +
  `${cold ? 'cold start' : 'patterns learned before'}; budgets in % of the pages per period${bank ? ', banked' : ''}`;

const againstTable = ({ against }: PoliciesReport): Table => ({
  title: 'As a multiple of the best rival, with 95 % intervals over pages',
  header: ['policy', 'budget', 'best rival', 'ratio'],
  rows: Object.entries(against).flatMap(([name, list]) =>
    list.map(({ budget, rival, ratio, low, high }) => [
      name,
      `${budget} %`,
      rival,
      `${ratio.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`,
    ]),
  ),
});

function measureTable(
  { policies: each, ratios, clairvoyant }: ByMeasure,
  budgets: readonly number[],
  title: string,
): Table {
  const rows = Object.entries(each).map(([name, values]) => [
    name,
    ...values.map((value, i) => {
      const share = ratios[name]?.[i] ?? null;
      return `${value.toFixed(3)}${share === null ? '' : `  ${(100 * share).toFixed(0)} %`}`;
    }),
  ]);
  return {
    title,
    header: ['policy', ...budgets.map((budget) => `${budget} %`)],
    rows: [...rows, ['clairvoyant', ...clairvoyant.map((value) => value.toFixed(3))]],
  };
}

function measurePlot(
  { budgets, objective, cold, bank, pages }: PoliciesReport,
  { measure, policies: each, clairvoyant }: PoliciesReport['other'],
): PlotDescription {
  const lines = [...Object.entries(each), ['clairvoyant', clairvoyant] as const];
  return {
    file: `policies-${objective}-measured-${measure}`,
    title: `Weighted completeness of ${lines.length - 1} policies on ${pages} pages`,
    description: `Objective ${objective}, measured ${measure}, ${cold ? 'cold start' : 'patterns learned before'}${bank ? ', banked budget' : ''}.`,
    x: 'visits per period, % of the pages',
    y: `weighted completeness, ${measure}`,
    kind: 'lines',
    range: [0, 1],
    series: lines.map(([name, values]) => ({
      name,
      points: values.map((y, i) => ({ x: budgets[i] ?? 0, y })),
    })),
  };
}
