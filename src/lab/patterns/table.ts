import { textTable } from '../text-table.ts';
import type { PatternsReport } from './discover.ts';
import type { IndexingRow } from './indexing.ts';

/** For people: one line for each page, the groups, and what Algorithm 4 would index. */
export function patternsTable(report: PatternsReport): string {
  const { patterns, thresholds, learned, groups, indexing, days, periods, timezone } = report;
  const groupOf = new Map(
    groups.flatMap(({ pages }, index) => pages.map((page) => [page, index + 1] as const)),
  );
  const rows = Object.entries(patterns).map(([page, values]) => [
    page,
    sparkline(values),
    thresholds[page],
    learned[page]?.kind,
    learned[page]?.changesPerDay,
    learned[page]?.meanImportance,
    groupOf.get(page),
  ]);
  return [
    `${rows.length} pages, ${days} days, ${periods} periods a day, ${timezone}\n`,
    textTable(['page', 'pattern', 'threshold', 'kind', 'changes a day', 'importance', 'group'], rows),
    '\nGroups that share a shape',
    textTable(
      ['group', 'shape', 'pages'],
      groups.map(({ pages, shape }, index) => [
        index + 1,
        sparkline(shape),
        pages.length > 4 ? `${pages.slice(0, 4).join(', ')} and ${pages.length - 4} more` : pages.join(', '),
      ]),
    ),
    ...(indexing.length === 0
      ? []
      : [
          '\nIndexing: thresholds of the first half of the time on the versions of the second',
          indexingTable(indexing),
        ]),
    '',
  ].join('\n');
}

export function indexingTable(rows: readonly IndexingRow[]): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return textTable(
    [
      'threshold ×',
      'versions indexed',
      'importance kept, pooled',
      'per page',
      'every n-th: pooled',
      'per page',
      'limit: pooled',
      'per page',
    ],
    rows.map(({ factor, versions, kept, everyNth, limit }) => [
      String(factor),
      percent(versions),
      ...[kept, everyNth, limit].flatMap(({ pooled, perPage }) => [percent(pooled), percent(perPage)]),
    ]),
  );
}

const BARS = '▁▂▃▄▅▆▇█';

/** A bar for each value, the greatest full. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(...values, Number.MIN_VALUE);
  return values.map((value) => BARS[Math.min(7, Math.floor((8 * value) / most))] ?? ' ').join('');
}
