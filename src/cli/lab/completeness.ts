import { barX, ruleX } from '@observablehq/plot';
import {
  type CompletenessReport,
  completenessTable,
  measureCompleteness,
} from '../../lab/completeness/measure.ts';
import { parseCaptures, parseChanges } from '../../lab/data/page-tables.ts';
import type { LabCompletenessFlags } from '../commands/lab-pages.ts';
import { writeOutput } from '../write-output.ts';
import { writeFigure } from './figure.ts';
import { readPages, readWeights, type Skipping } from './page-files.ts';

export async function labCompleteness(flags: LabCompletenessFlags): Promise<void> {
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const weights = readWeights(flags.weights, skipping);
  const report = measureCompleteness({
    changes: readPages(flags.changes, parseChanges, skipping).pages,
    captures: readPages(flags.captures, parseCaptures, skipping).pages,
    ...(weights !== undefined && { weights }),
  });
  const { skipped } = skipping;
  await writeOutput(
    flags.json ? `${JSON.stringify({ ...report, skipped })}\n` : completenessTable(report),
    undefined,
  );
  if (flags.out !== undefined) await drawReport(report, flags.out);
}

/** Bars past this number cannot be read; the least complete are shown. */
const MOST_BARS = 60;

async function drawReport({ archive, pages }: CompletenessReport, folder: string): Promise<void> {
  const bars = Object.entries(pages)
    .flatMap(([page, completeness]) => (completeness === null ? [] : [{ page, completeness }]))
    .sort((a, b) => a.completeness - b.completeness)
    .slice(0, MOST_BARS);
  await writeFigure(
    folder,
    'completeness',
    {
      width: 720,
      marginLeft: 240,
      x: { label: 'weighted completeness', domain: [0, 1], grid: true },
      y: { label: null, domain: bars.map(({ page }) => page) },
      marks: [
        barX(bars, { x: 'completeness', y: 'page', fill: '#9db8d6' }),
        ...(archive === null ? [] : [ruleX([archive], { stroke: '#223344', strokeDasharray: '4' })]),
        ruleX([0]),
      ],
    },
    {
      title: `Weighted completeness of ${bars.length} pages`,
      description: `The archive as a whole: ${archive === null ? 'unknown' : archive.toFixed(3)} (dashed).`,
    },
  );
}
