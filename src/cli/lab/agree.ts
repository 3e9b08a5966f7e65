import { type Command, Option } from 'commander';
import { SIZE_NAMES, type SizeName } from '../../lab/newspaper/sections.ts';
import { parseCount } from '../arguments.ts';
import { parseHours } from './crawl.ts';
import { type LabFlags, labOptions, show } from './lab-options.ts';

interface AgreeFlags extends LabFlags {
  readonly newspaper: SizeName;
  readonly firstSeed: number;
  readonly seeds: number;
  readonly hours: readonly number[];
  readonly history: number;
}

export function agreeCommand(lab: Command): void {
  labOptions(
    lab
      .command('agree')
      .summary('pages of one capture that contradict each other')
      .description(
        'Captures the living newspaper with the crawler that archives, in memory and under a clock that leaps, once for each ' +
          '--revisit: how many links lead to an article that bears another headline than the page that names it.',
      )
      .addOption(
        new Option('--newspaper <size>', 'the living newspaper').choices(SIZE_NAMES).default('medium'),
      )
      .option('--first-seed <number>', 'of the newspapers', parseCount, 1)
      .option('--seeds <number>', 'newspapers', parseCount, 3)
      .option('--hours <list>', 'how long a capture takes', parseHours, [3, 12])
      .option('--history <number>', 'captures before, one a day', parseCount, 4),
  )
    .addHelpText('after', '\nExample:\n  daguerre lab agree --seeds 5 --hours 3,6,12')
    .action(runAgree);
}

/** A Monday, early: the busy hours are still to come. */
const START = Date.UTC(2026, 10, 9, 7);

async function runAgree(flags: AgreeFlags): Promise<void> {
  const { labPorts: ports } = await import('../../archive/crawl/lab-ports.ts');
  const { agreement } = await import('../../lab/agreement/agreement.ts');
  const { newspaper: size, firstSeed, hours, history } = flags;
  const seeds = Array.from({ length: flags.seeds }, (_, index) => firstSeed + index);
  const progress = (what: string): void => void process.stderr.write(`${what}\n`);
  const input = { size, seeds, hours, history, start: START, ports, progress };
  await show(agreement, input, flags, { settings: { size, seeds, hours, history } });
}
