import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseChanges } from '../../lab/data/page-tables.ts';
import { PLAN_STRATEGIES } from '../../lab/sharpness/plan.ts';
import { parseCount } from '../arguments.ts';
import { withGivenSite } from './given-site.ts';
import { parseNumber, show } from './lab-options.ts';
import { type SiteFlags, siteOptions } from './site-options.ts';

interface SharcFlags extends SiteFlags {
  readonly strategy: string;
  readonly observe?: readonly [number, number];
  readonly threshold?: number;
  readonly blurWeight?: number;
  readonly budget?: number;
  readonly changes?: string;
  readonly start: number;
  readonly trials: number;
}

export function sharcCommand(lab: Command): void {
  siteOptions(
    lab
      .command('sharc')
      .summary('when a strategy visits each page, and how sharp that is')
      .description(
        'Plans one capture of a site whose change rates are given: visits, revisits, expected blur and sharp pages; ' +
          'with the times of the changes also what came of it.',
      ),
  )
    .addOption(
      new Option('--strategy <name>', 'order of the downloads')
        .choices(PLAN_STRATEGIES)
        .default('sharc-offline'),
    )
    .option('--observe <from,to>', "observation interval instead of the capture's own", parseInterval)
    .option('--threshold <τ>', 'sharc-threshold: change probability beyond hope', parseNumber)
    .option('--blur-weight <μ>', 'sharp-and-clear: sharp pages that one unit of blur is worth', parseNumber)
    .option('--budget <downloads>', 'multi-visit: as many in all; two per page otherwise', parseCount)
    .option('--changes <file>', 'table of page, time: when pages did change')
    .option('--start <time>', 'of the capture, in the times of --changes', parseNumber, 0)
    .option('--graph <file>', 'table of from, to: links by which pages are found')
    .option('--trials <number>', 'also draw so many histories from the rates', parseCount, 0)
    .addHelpText(
      'after',
      `
Examples:
  daguerre lab sharc --rates 0,1,2,3,4,5 --strategy sharc-revisits
  daguerre lab sharc --rates rates.tsv --delay 10 --strategy sharp-assignment --changes changes.tsv --json`,
    )
    .action(runSharc);
}

async function runSharc(flags: SharcFlags): Promise<void> {
  const { sharc } = await import('../../lab/sharpness/show-plan.ts');
  await withGivenSite(flags, async ({ names, site, valuesOf, skipped }) => {
    const changes =
      flags.changes === undefined
        ? undefined
        : valuesOf(flags.changes, parseChanges).map((list) => list.map(({ time }) => time - flags.start));
    const input = { names, site, options: { ...flags, changes } };
    await show(sharc, input, flags, { skipped: skipped() });
  });
}

function parseInterval(text: string): readonly [number, number] {
  const parts = text.split(',');
  const [from = '', to = ''] = parts;
  if (parts.length !== 2) throw new InvalidArgumentError(`'${text}' is no interval: write from,to`);
  return [parseNumber(from), parseNumber(to)];
}
