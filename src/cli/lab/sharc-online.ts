import { barY, ruleY } from '@observablehq/plot';
import { factLines, textTable } from '../../lab/experiment/text-table.ts';
import { onlinePlan } from '../../lab/sharpness/online-plan.ts';
import type { LabSharcOnlineFlags } from '../commands/lab-sharc.ts';
import { writeOutput } from '../write-output.ts';
import { writeFigure } from './figure.ts';
import { withGivenSite } from './given-site.ts';

export async function labSharcOnline(flags: LabSharcOnlineFlags): Promise<void> {
  const { rows, skipped, result } = withGivenSite(flags, ({ names, site, skipped }) => {
    const { order, ...result } = onlinePlan(site, flags.strategy);
    const rows = order.map((page, slot) => ({ slot, page: names[page] ?? '', rate: site.rates[page] ?? 0 }));
    return { rows, skipped: skipped(), result };
  });
  const table = textTable(
    ['slot', 'page', 'rate'],
    rows.map(({ slot, page, rate }) => [slot, page, rate]),
  );
  const facts = factLines([
    ['expected blur', result.blur],
    ['of sharc-offline', result.offlineBlur],
  ]);
  const output = flags.json
    ? `${JSON.stringify({ ...result, order: rows.map(({ page }) => page), skipped })}\n`
    : `${result.strategy}, believed size ${result.size}\n\n${table}\n\n${facts}\n`;
  await writeOutput(output, undefined);
  if (flags.out === undefined) return;
  await writeFigure(
    flags.out,
    `sharc-online-${result.strategy}`,
    {
      width: 720,
      height: 320,
      x: { label: 'slot', type: 'band', ticks: [] },
      y: { label: 'change rate', grid: true },
      marks: [ruleY([0]), barY(rows, { x: 'slot', y: 'rate', fill: '#9db8d6' })],
    },
    {
      title: `Downloads of ${result.strategy}`,
      description: `${rows.length} pages in the order of their download.`,
    },
  );
}
