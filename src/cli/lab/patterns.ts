import { lineY, ruleY } from '@observablehq/plot';
import { discoverPatterns, type PatternsReport } from '../../lab/patterns/discover.ts';
import { patternsTable } from '../../lab/patterns/table.ts';
import { watchedFromChanges, watchedFromObservations } from '../../lab/patterns/watched-pages.ts';
import { slotPlan } from '../../science/patterns/slots.ts';
import type { LabPatternsFlags } from '../commands/lab-pages.ts';
import { requireHolidays } from '../holidays.ts';
import { writeOutput } from '../write-output.ts';
import { writeFigure } from './figure.ts';
import { readHistories, type Skipping } from './page-files.ts';

export async function labPatterns(flags: LabPatternsFlags): Promise<void> {
  const { periods, timezone } = flags;
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const given = readHistories(flags, skipping);
  const pages =
    given.kind === 'observations'
      ? watchedFromObservations(given.table.pages)
      : watchedFromChanges(given.table.pages, slotPlan('daily', { zone: timezone, periods }), timezone);
  const report = discoverPatterns(pages, {
    periods,
    timezone,
    ...(flags.holidays !== undefined && { isHoliday: await requireHolidays(flags.holidays) }),
  });
  const { skipped } = skipping;
  await writeOutput(
    flags.json ? `${JSON.stringify({ ...report, skipped })}\n` : patternsTable(report),
    undefined,
  );
  if (flags.out !== undefined) await drawReport(report, flags.out);
}

/** Curves past this number hide each other: those of the highest thresholds are shown. */
const MOST_CURVES = 9;

async function drawReport(
  { patterns, thresholds, groups, periods }: PatternsReport,
  folder: string,
): Promise<void> {
  const busiest = Object.entries(thresholds)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_CURVES)
    .map(([page]) => page);
  await writeFigure(
    folder,
    'patterns',
    curves(
      'mean importance of change',
      busiest.flatMap((page) => steps(page, patterns[page] ?? [], periods)),
      busiest.map((page) => ({ name: page, y: thresholds[page] ?? 0 })),
    ),
    {
      title: 'Patterns of the pages with the highest thresholds',
      description: 'Mean importance of change by hour of the day; dashed: the indexing threshold.',
    },
  );
  const largest = groups.slice(0, MOST_CURVES).map(({ pages, shape }, index) => ({
    name: `group ${index + 1}: ${pages.length} pages`,
    shape,
  }));
  await writeFigure(
    folder,
    'groups',
    curves(
      'rate relative to its mean',
      largest.flatMap(({ name, shape }) => steps(name, shape, periods)),
      largest.map(({ name }) => ({ name, y: 1 })),
    ),
    {
      title: 'Shapes that groups of pages share',
      description: 'Rate of change relative to its mean, by hour.',
    },
  );
}

/** One point where each period begins, and one where the last ends. */
const steps = (name: string, values: readonly number[], periods: number) =>
  [...values, ...values.slice(-1)].map((y, k) => ({ name, x: (24 * k) / periods, y }));

/** One small chart below the other, with a dashed level in each. */
function curves(
  label: string,
  points: readonly { readonly name: string; readonly x: number; readonly y: number }[],
  levels: readonly { readonly name: string; readonly y: number }[],
) {
  return {
    width: 720,
    height: 60 + 80 * levels.length,
    marginLeft: 50,
    marginRight: 240,
    x: { label: 'hour of the day' },
    y: { label, grid: true, ticks: 3 },
    fy: { label: null, domain: levels.map(({ name }) => name) },
    marks: [
      ruleY(levels, { y: 'y', fy: 'name', stroke: '#aa3333', strokeDasharray: '4' }),
      lineY(points, { x: 'x', y: 'y', fy: 'name', stroke: '#225588', curve: 'step-after' }),
      ruleY([0]),
    ],
  };
}
