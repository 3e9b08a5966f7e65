import { type Command, InvalidArgumentError, Option } from 'commander';
import { PLAN_STRATEGIES } from '../../lab/sharpness/plan.ts';
import { ONLINE_STRATEGIES } from '../../science/sharpness/strategies.ts';
import { parseCount } from '../arguments.ts';
import { type LabFlags, labOptions, parseNumber } from './lab-options.ts';

/** A site given by tables. */
export interface SiteFlags extends LabFlags {
  readonly rates: string;
  readonly delay: number;
  readonly graph?: string;
  readonly entry?: readonly string[];
  readonly size?: number;
  readonly weights?: string;
  readonly skipBad: boolean;
  /** Online orders draw nothing; all experiments take it, so that they can be called alike. */
  readonly seed: string;
}

export interface LabSharcFlags extends SiteFlags {
  readonly strategy: string;
  readonly observe?: readonly [number, number];
  readonly threshold?: number;
  readonly blurWeight?: number;
  readonly budget?: number;
  readonly changes?: string;
  readonly start: number;
  readonly trials: number;
}

export interface LabSharcOnlineFlags extends SiteFlags {
  readonly graph: string;
  readonly strategy: string;
}

function siteOptions(command: Command): Command {
  return labOptions(command)
    .requiredOption('--rates <list|file>', 'change rates: 0,1,2 or a table of page, rate')
    .option('--delay <number>', 'time between two downloads, in the unit of the rates', parseNumber, 1)
    .option('--entry <page...>', 'pages known at the start; with a graph: that of its first link')
    .option('--size <number>', 'pages the site is believed to have; as many as have rates', parseNumber)
    .option('--weights <file>', 'table of page, importance (0 to 1)')
    .option('--skip-bad', 'leave bad rows of tables out, and say how many', false)
    .option('--seed <seed>', 'of histories that are drawn', '1');
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
    .action(async (flags: LabSharcFlags) => {
      const { labSharc } = await import('../lab/sharc.ts');
      await labSharc(flags);
    });
}

export function sharcOnlineCommand(lab: Command): void {
  siteOptions(
    lab
      .command('sharc-online')
      .summary('the order in which a site is downloaded that is found on the way')
      .description('Follows the links of a site and downloads its pages in the order of an online strategy.')
      .requiredOption('--graph <file>', 'table of from, to: links by which pages are found'),
  )
    .addOption(
      new Option('--strategy <name>', 'order of the downloads')
        .choices(Object.keys(ONLINE_STRATEGIES))
        .default('sharc-online'),
    )
    .addHelpText(
      'after',
      `
Example:
  daguerre lab sharc-online --graph links.tsv --rates rates.tsv --size 6`,
    )
    .action(async (flags: LabSharcOnlineFlags) => {
      const { labSharcOnline } = await import('../lab/sharc.ts');
      await labSharcOnline(flags);
    });
}

function parseInterval(text: string): readonly [number, number] {
  const parts = text.split(',');
  const [from = '', to = ''] = parts;
  if (parts.length !== 2) throw new InvalidArgumentError(`'${text}' is no interval: write from,to`);
  return [parseNumber(from), parseNumber(to)];
}
