/** `lab patterns` for people: one line per page, the groups, and what Algorithm 4 would index; and its figures. */
import { experiment } from '../experiment/experiment.ts';
import type { PlotDescription } from '../experiment/plot.ts';
import type { Table } from '../experiment/text-table.ts';
import { type DiscoverOptions, discoverPatterns, type PatternsReport } from './discover.ts';
import type { IndexingRow } from './indexing.ts';
import type { GapsOfPage } from './watched-pages.ts';

export const patterns = experiment<
  DiscoverOptions & { readonly pages: readonly GapsOfPage[] },
  PatternsReport
>({
  name: 'patterns',
  title: 'When pages change, and how much it matters',
  method: 'Patterns, thresholds and groups by the functions that the archive calls when a crawl ends.',
  measure: ({ pages, ...options }) => discoverPatterns(pages, options),
  text: (report) => [
    `${report.pages} pages, ${report.days} days, ${report.periods} periods a day, ${report.timezone}`,
    pageTable(report),
    groupTable(report),
    ...(report.indexing.length === 0 ? [] : [indexingTable(report.indexing)]),
  ],
  data: (report) => report,
  plots: (report) => [pagePlot(report), groupPlot(report)],
});

function pageTable({ patterns, thresholds, learned, groups }: PatternsReport): Table {
  const groupOf = new Map(
    groups.flatMap(({ pages }, index) => pages.map((page) => [page, index + 1] as const)),
  );
  return {
    header: ['page', 'pattern', 'threshold', 'kind', 'changes a day', 'importance', 'group'],
    rows: Object.entries(patterns).map(([page, values]) => [
      page,
      sparkline(values),
      thresholds[page],
      learned[page]?.kind,
      learned[page]?.changesPerDay,
      learned[page]?.meanImportance,
      groupOf.get(page),
    ]),
  };
}

const groupTable = ({ groups }: PatternsReport): Table => ({
  title: 'Groups that share a shape',
  header: ['group', 'shape', 'pages'],
  rows: groups.map(({ pages, shape }, index) => [
    index + 1,
    sparkline(shape),
    pages.length > 4 ? `${pages.slice(0, 4).join(', ')} and ${pages.length - 4} more` : pages.join(', '),
  ]),
});

function indexingTable(rows: readonly IndexingRow[]): Table {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return {
    title: 'Indexing: thresholds of the first half of the time on the versions of the second',
    header: [
      'threshold ×',
      'versions indexed',
      'importance kept, pooled',
      'per page',
      'every n-th: pooled',
      'per page',
      'limit: pooled',
      'per page',
    ],
    rows: rows.map(({ factor, versions, kept, everyNth, limit }) => [
      String(factor),
      percent(versions),
      ...[kept, everyNth, limit].flatMap(({ pooled, perPage }) => [percent(pooled), percent(perPage)]),
    ]),
  };
}

const BARS = '▁▂▃▄▅▆▇█';

/** A bar for each value, the largest at full height. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(...values, Number.MIN_VALUE);
  return values.map((value) => BARS[Math.min(7, Math.floor((8 * value) / most))] ?? ' ').join('');
}

/** More curves than this hide each other: those with the highest thresholds are shown. */
const MOST_CURVES = 9;

const pagePlot = ({ patterns, thresholds, periods }: PatternsReport): PlotDescription => ({
  title: 'Patterns of the pages with the highest thresholds',
  description: 'Mean importance of change by hour of the day; dashed: the indexing threshold.',
  file: 'patterns',
  x: 'hour of the day',
  y: 'mean importance of change',
  kind: 'panels',
  series: Object.entries(thresholds)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_CURVES)
    .map(([name, level]) => ({ name, level, points: steps(patterns[name] ?? [], periods) })),
});

const groupPlot = ({ groups, periods }: PatternsReport): PlotDescription => ({
  title: 'Shapes that groups of pages share',
  description: 'Rate of change relative to its mean, by hour.',
  file: 'groups',
  x: 'hour of the day',
  y: 'rate relative to its mean',
  kind: 'panels',
  series: groups.slice(0, MOST_CURVES).map(({ pages, shape }, index) => ({
    name: `group ${index + 1}: ${pages.length} pages`,
    level: 1,
    points: steps(shape, periods),
  })),
});

/** One point where each period begins, and one where the last ends. */
const steps = (values: readonly number[], periods: number) =>
  [...values, ...values.slice(-1)].map((y, k) => ({ x: (24 * k) / periods, y }));
