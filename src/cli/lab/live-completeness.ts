import type { Command } from 'commander';
import { parseCount, parseShare } from '../arguments.ts';
import { type LabFlags, labOptions, parseNumber, show } from './lab-options.ts';

interface LiveFlags extends LabFlags {
  readonly seed: number;
  readonly seeds: number;
  readonly pages: number;
  readonly days: number;
  readonly budgets: readonly number[];
  readonly policies: readonly string[];
  readonly audit: number;
}

const list = (text: string): string[] => text.split(',').map((part) => part.trim());

export function liveCompletenessCommand(lab: Command): void {
  labOptions(
    lab
      .command('live-completeness')
      .summary('whether the interval of the completeness of a running archive holds the truth')
      .description(
        'Policies visit synthetic pages whose every version is known; the estimate that `report` gives sees the visits alone.',
      ),
  )
    .option('--seed <n>', 'the first seed', parseCount, 1)
    .option('--seeds <n>', 'how many', parseCount, 5)
    .option('--pages <n>', 'pages', parseCount, 120)
    .option('--days <n>', 'days', parseCount, 14)
    .option(
      '--budgets <list>',
      'percent of the pages per hour',
      (text) => list(text).map(parseNumber),
      [5, 10, 30],
    )
    .option('--policies <list>', 'policies', list, ['round-robin', 'expected-gain'])
    .option('--audit <share>', 'share of the visits that go to pages drawn by lot', parseShare, 0.02)
    .addHelpText('after', '\nExample:\n  daguerre lab live-completeness --seeds 10')
    .action(run);
}

async function run({ json, out, ...input }: LiveFlags): Promise<void> {
  const { liveIntervals } = await import('../../lab/completeness/live.ts');
  await show(liveIntervals, input, { json, ...(out !== undefined && { out }) });
}
