/**
 * The figures of the paper as data, each with what the paper says of it beside what came out here.
 *
 * M. Ben Saad, S. Gançarski: Archiving the web using page changes patterns: a case study. IJDL 13 (2012), Fig. 8-14.
 */
import { gapsOf } from '../../science/patterns/observations.ts';
import { paperPattern, timeSeries } from '../../science/patterns/series.ts';
import { slotPlan } from '../../science/patterns/slots.ts';
import { decide, indexThreshold, newKeeper } from '../../science/patterns/thresholds.ts';
import { comparePolicies, meanAndSpread } from './experiment.ts';
import type { Histories, PageHistory } from './histories.ts';
import { syntheticHistories } from './synthetic.ts';

export interface FigureSeries {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number; readonly spread?: number }[];
}

export interface Figure {
  readonly id: string;
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** The paper's statement. */
  readonly paper: string;
  /** Ours, made from the data below. */
  readonly ours: string;
  readonly series: readonly FigureSeries[];
}

export interface FigureOptions {
  readonly seeds?: readonly number[];
  readonly pages?: number;
  readonly train?: number;
  readonly test?: number;
  readonly budgets?: readonly number[];
}

const DEFAULTS = {
  seeds: [1, 2, 3],
  pages: 1000,
  train: 21,
  test: 14,
  budgets: [10, 20, 30, 40, 50],
} as const;

const pagesLike = (histories: Histories, family: string): PageHistory =>
  histories.pages.find(({ name }) => name.startsWith(family)) ?? (histories.pages[0] as PageHistory);

/** Fig. 8: series of four days of one page. */
export function figure8(options: FigureOptions = {}): Figure {
  const { seeds, ...rest } = { ...DEFAULTS, ...options };
  const histories = syntheticHistories({ seed: seeds[0] ?? 1, ...rest, pages: 50 });
  const plan = slotPlan('daily');
  const series = timeSeries(pagesLike(histories, 'sport').training, plan).slice(0, 4);
  const pairs = series.flatMap((a, i) =>
    series.slice(i + 1).map((b) => correlation(a.importance, b.importance)),
  );
  const mean = pairs.reduce((sum, value) => sum + value, 0) / Math.max(1, pairs.length);
  return {
    id: 'fig-8',
    title: 'Samples of time series',
    x: 'hour',
    y: 'importance of change',
    paper: 'four weekdays of Sport.FranceTV.fr show a similar periodicity',
    ours: `four weekdays of one synthetic sport page; mean correlation of two of them ${mean.toFixed(2)}`,
    series: series.map(({ day, importance }) => ({ name: `day ${day}`, points: points(importance) })),
  };
}

/** Fig. 9: patterns of four pages. */
export function figure9(options: FigureOptions = {}): Figure {
  const { seeds, ...rest } = { ...DEFAULTS, ...options };
  const histories = syntheticHistories({ seed: seeds[0] ?? 1, ...rest, pages: 120 });
  const plan = slotPlan('daily');
  const series = ['programme', 'overseas', 'sport', 'documentary'].map((family) => {
    const page = pagesLike(histories, family);
    return {
      name: page.name,
      points: points(paperPattern(timeSeries(page.training, plan), plan.slots).importance),
    };
  });
  const peaks = series.map(({ name, points: list }) => {
    const best = list.reduce((a, b) => (b.y > a.y ? b : a), { x: 0, y: -1 });
    return `${name.split('/')[0]} ${best.x} h`;
  });
  return {
    id: 'fig-9',
    title: 'Samples of discovered patterns',
    x: 'hour',
    y: 'mean importance of change',
    paper: 'pages differ: by day, by night, around the clock (La 1ère), quasi static',
    ours: `hour of the peak: ${peaks.join(', ')}`,
    series,
  };
}

/** Fig. 10: a pattern, its threshold, and the versions that are indexed. */
export function figure10(options: FigureOptions = {}): Figure {
  const { seeds, ...rest } = { ...DEFAULTS, ...options };
  const histories = syntheticHistories({ seed: seeds[0] ?? 1, ...rest, pages: 50 });
  const plan = slotPlan('daily');
  const page = pagesLike(histories, 'news');
  const pattern = paperPattern(timeSeries(page.training, plan), plan.slots).importance;
  const threshold = indexThreshold(pattern);
  let keeper = newKeeper(threshold);
  const kept: { x: number; y: number }[] = [];
  let total = 0;
  let weight = 0;
  let keptWeight = 0;
  for (const { time, importance } of page.versions) {
    const decision = decide(keeper, importance);
    keeper = decision.next;
    total++;
    weight += importance;
    if (!decision.keep) continue;
    keptWeight += importance;
    kept.push({ x: (time - histories.start) / 3600, y: importance });
  }
  return {
    id: 'fig-10',
    title: 'Example of an indexing threshold',
    x: 'hour',
    y: 'importance of change',
    paper: 'the mean of the pattern of France4.fr decides which versions are indexed',
    ours:
      `threshold ${threshold.toFixed(3)}: ${kept.length} of ${total} versions indexed, with ` +
      `${((100 * keptWeight) / Math.max(1e-9, weight)).toFixed(0)}% of the importance`,
    series: [
      { name: 'pattern', points: points(pattern) },
      {
        name: 'threshold',
        points: [
          { x: 0, y: threshold },
          { x: plan.periods - 1, y: threshold },
        ],
      },
      { name: 'indexed', points: kept },
    ],
  };
}

/** Fig. 11: completeness of Importance-Pattern against the number of periods. */
export function figure11(options: FigureOptions & { readonly periods?: readonly number[] } = {}): Figure {
  const { seeds, ...rest } = { ...DEFAULTS, ...options };
  const periods = options.periods ?? [2, 3, 4, 6, 8, 12, 24, 30, 40, 60, 80, 120];
  const budgets = options.budgets ?? [10, 20, 30];
  const table = periods.map((count) =>
    meanAndSpread(
      seeds.map((seed) => {
        const result = comparePolicies(syntheticHistories({ seed, ...rest }), {
          budgets,
          policies: ['importance-pattern'],
          periods: count,
          kinds: ['daily'],
          rounds: 0,
        });
        return result.policies['importance-pattern']?.perPage ?? [];
      }),
    ),
  );
  const at = (count: number, budget: number): number =>
    table[periods.indexOf(count)]?.mean[budget] ?? Number.NaN;
  const [few, many] = [periods[0] as number, periods[periods.length - 1] as number];
  return {
    id: 'fig-11',
    title: 'Completeness and the number of periods',
    x: 'periods a day',
    y: 'weighted completeness',
    paper: 'grows with the number of periods up to about 24, then stays nearly constant',
    ours: `at ${budgets[0]}%: ${at(few, 0).toFixed(3)} with ${few} periods, ${at(24, 0).toFixed(3)} with 24, ${at(many, 0).toFixed(3)} with ${many}`,
    series: budgets.map((budget, index) => ({
      name: `M = ${budget}%`,
      points: periods.map((count, row) => ({
        x: count,
        y: table[row]?.mean[index] ?? Number.NaN,
        spread: table[row]?.spread[index] ?? 0,
      })),
    })),
  };
}

/** Fig. 12: the paper's policy and its two ablations, on synthetic pages. */
export const figure12 = (options: FigureOptions = {}): Figure =>
  policiesFigure(
    'fig-12',
    'Our strategies compared',
    ['importance-pattern', 'importance', 'pattern', 'expected-gain'],
    'Importance-Pattern is better than Importance by 5% and than Pattern by 20%',
    syntheticRuns(options),
    options,
  );

const RIVALS = [
  'importance-pattern',
  'relevance',
  'sharc-sweep',
  'coherence',
  'frequency',
  'round-robin',
  'expected-gain',
];

/** Fig. 13: against the policies in use, on synthetic pages. */
export const figure13 = (options: FigureOptions = {}): Figure =>
  policiesFigure(
    'fig-13',
    'Weighted completeness (simulation)',
    RIVALS,
    'Importance-Pattern is better than Relevance, SHARC, Coherence and Frequency by around 20% with limited resources',
    syntheticRuns(options),
    options,
  );

/** Fig. 14: the same on real pages; the histories are given. */
export const figure14 = (histories: readonly Histories[], options: FigureOptions = {}): Figure =>
  policiesFigure(
    'fig-14',
    'Weighted completeness (real pages)',
    RIVALS,
    'on FranceTV, Importance-Pattern is better than the others by 20 to 25%',
    histories,
    options,
  );

function syntheticRuns(options: FigureOptions): Histories[] {
  const { seeds, ...rest } = { ...DEFAULTS, ...options };
  return seeds.map((seed) => syntheticHistories({ seed, ...rest }));
}

function policiesFigure(
  id: string,
  title: string,
  policies: readonly string[],
  paper: string,
  runs: readonly Histories[],
  options: FigureOptions,
): Figure {
  const budgets = options.budgets ?? DEFAULTS.budgets;
  const results = runs.map((histories) => comparePolicies(histories, { budgets, policies, rounds: 0 }));
  const tables = (['perPage', 'pooled'] as const).flatMap((measure) =>
    policies.map((name) => ({
      name: `${name} (${measure === 'perPage' ? 'per page' : 'pooled'})`,
      ...meanAndSpread(results.map((result) => result.policies[name]?.[measure] ?? [])),
    })),
  );
  const limit = meanAndSpread(results.map((result) => result.clairvoyant.perPage));
  const all = [...tables, { name: 'clairvoyant (per page)', ...limit }];
  const first = tables[0]?.mean[0] ?? Number.NaN;
  const gaps = policies.slice(1).map((name, index) => {
    const other = tables[index + 1]?.mean[0] ?? Number.NaN;
    return `${name} ${signed(first / other - 1)}`;
  });
  return {
    id,
    title,
    x: 'pages visited per hour, %',
    y: 'weighted completeness',
    paper,
    ours: `at ${budgets[0]}%, per page, ${policies[0]} against ${gaps.join(', ')}`,
    series: all.map(({ name, mean, spread }) => ({
      name,
      points: budgets.map((x, index) => ({ x, y: mean[index] ?? Number.NaN, spread: spread[index] ?? 0 })),
    })),
  };
}

const signed = (share: number): string => `${share >= 0 ? '+' : ''}${(100 * share).toFixed(0)}%`;

const points = (values: ArrayLike<number>): { readonly x: number; readonly y: number }[] =>
  Array.from({ length: values.length }, (_, x) => ({ x, y: values[x] as number }));

function correlation(a: Float64Array, b: Float64Array): number {
  let [n, sa, sb, aa, bb, ab] = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < a.length; k++) {
    const [x, y] = [a[k] as number, b[k] as number];
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    n++;
    sa += x;
    sb += y;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  const spread = Math.sqrt((aa - (sa * sa) / n) * (bb - (sb * sb) / n));
  return spread > 0 ? (ab - (sa * sb) / n) / spread : 0;
}

/** The paper's series of a page given as observations, for figures of one's own pages. */
export const seriesOf = (observations: Parameters<typeof gapsOf>[0], zone: string) =>
  timeSeries(gapsOf(observations), slotPlan('daily', { zone }));
