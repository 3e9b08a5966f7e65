import { type Command, Option } from 'commander';
import { UserError } from '../../archive/user-error.ts';
import { WINDOW_SETS, type WindowSet } from '../../lab/evolution/skip-windows.ts';
import { parseCount } from '../arguments.ts';
import { type LabFlags, labOptions, show } from './lab-options.ts';

interface SkipsFlags extends LabFlags {
  readonly data?: string;
  readonly windows: number;
  readonly set: WindowSet;
}

export function skipsCommand(lab: Command): void {
  labOptions(
    lab
      .command('skips')
      .summary('what a recrawl may leave out, and what it misses then')
      .description(
        'The plan of what a recrawl leaves out, on histories of sites it was not fitted on, beside rules (NEAR), the quiet ' +
          'rule, a flat cut and the oracle: pages left out, changes missed, and what was promised.',
      )
      .addOption(
        new Option('--data <dir>', 'folder of histories (docs/lab.md), two at least').env('DAGUERRE_DATA'),
      ),
  )
    .option('--windows <number>', 'of each history, spread evenly', parseCount, 10)
    .addOption(
      new Option('--set <set>', 'which windows: the first, or others that lie between them')
        .choices(WINDOW_SETS)
        .default('first'),
    )
    .addHelpText(
      'after',
      `
A history is a table of path, kind (A|M|D), unix time, size, digest; tab-separated, gzip or not.

Example:
  daguerre lab skips --data histories/ --out figures/`,
    )
    .action(runSkips);
}

async function runSkips(flags: SkipsFlags): Promise<void> {
  const { skips } = await import('../../lab/evolution/skips.ts');
  const { ANY_SITE, siteHistories } = await import('../../lab/reproduce/site-histories.ts');
  const { Skipped } = await import('../../lab/experiment/experiment.ts');
  const { windows, set } = flags;
  if (windows < 1) throw new UserError('--windows must be at least 1');
  const histories = siteHistories(flags.data, ANY_SITE);
  if (histories instanceof Skipped) throw new UserError(histories.reason);
  const progress = (site: string): void => void process.stderr.write(`${site} done\n`);
  await show(skips, { histories, windows, set, progress }, flags, { windows, set });
}
