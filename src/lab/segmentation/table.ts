/** The result of `lab segment` for people. */
import type { ConfidenceInterval } from '../../science/quality/bootstrap.ts';
import type { MeasuredCutter, SegmentationResult } from './measure.ts';

const number = (value: number): string => value.toFixed(3).replace(/^(-?)0\./u, '$1.');
const signed = (value: number): string => (value < 0 ? number(value) : `+${number(value)}`);
const interval = ({ mean, low, high }: ConfidenceInterval): string =>
  `${number(mean)} [${number(low)}, ${number(high)}]`;
const change = (difference: ConfidenceInterval | undefined): string =>
  difference === undefined
    ? '-'
    : `${signed(difference.mean)} [${signed(difference.low)}, ${signed(difference.high)}]`;

export function segmentationTable(result: SegmentationResult): string {
  const { reference } = result;
  const head = ['', 'P', 'R', 'F [95 %]', `F to ${reference ?? 'reference'}`, 'F to best trivial cut'];
  const row = (cutter: MeasuredCutter): string[] => [
    cutter.name,
    number(cutter.precision.mean),
    number(cutter.recall.mean),
    interval(cutter.f),
    change(cutter.toReference),
    change(cutter.toBestBaseline),
  ];
  const parts = [`${result.pages} annotated pages; BCubed, means over pages`];
  if (result.unmarked.length > 0) parts[0] += `; without marks, left out: ${result.unmarked.join(', ')}`;
  for (const { level, weighting, pages, bestBaseline, cutters } of result.levels) {
    parts.push(`level ${level}, by ${weighting}: ${pages.length} pages; best trivial cut: ${bestBaseline}`);
    parts.push(aligned([head, ...cutters.map(row)]));
  }
  return `${parts.join('\n\n')}\n`;
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
