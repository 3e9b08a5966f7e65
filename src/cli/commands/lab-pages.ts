import { type Command, InvalidArgumentError, Option } from 'commander';
import { REFRESH_POLICY_NAMES } from '../../science/policy/refresh/policies.ts';
import { OBJECTIVES, type Objective } from '../../science/quality/completeness.ts';
import { parseCount } from '../arguments.ts';
import { type LabFlags, labOptions } from './lab-options.ts';

/** Experiments on tables about pages: when they changed, when they were captured, what was seen. */
export interface LabTableFlags extends LabFlags {
  readonly skipBad: boolean;
  readonly seed: string;
}

export interface LabCompletenessFlags extends LabTableFlags {
  readonly changes: string;
  readonly captures: string;
  readonly weights?: string;
}

/** One of the two is given. */
export interface LabHistoryFlags extends LabTableFlags {
  readonly changes?: string;
  readonly observations?: string;
  readonly periods: number;
  readonly timezone: string;
}

export interface LabPatternsFlags extends LabHistoryFlags {
  readonly holidays?: string;
}

export interface LabPoliciesFlags extends LabHistoryFlags {
  readonly budget: readonly number[];
  readonly objective: Objective;
  readonly from: number;
  readonly train?: number;
  readonly test?: number;
  readonly cold: boolean;
  readonly weights?: string;
  readonly policy?: readonly string[];
  readonly pages: 'all' | 'odd' | 'even';
  readonly rounds: number;
}

type Options = (command: Command) => Command;

export function pageTableCommands(lab: Command): void {
  const options: Options = (command) =>
    labOptions(command)
      .option('--seed <seed>', 'of the bootstrap', '1')
      .option('--skip-bad', 'leave bad rows out and count them, instead of refusing the file', false);
  completenessCommand(lab, options);
  patternsCommand(lab, options);
  policiesCommand(lab, options);
}

const FORMATS = `
Tables are tab-separated, gzip or not, with or without a header row:
  changes       page, unix time, importance (optional, 1 by default)
  observations  page, unix time, changed 0|1, importance (unchanged visits included)
  captures      page, unix time
  weights       page, importance`;

function completenessCommand(lab: Command, options: Options): void {
  options(
    lab
      .command('completeness')
      .summary('how much of what appeared was captured, by importance')
      .description(
        'Weighted temporal completeness of every page and of the archive (Ben Saad and Gançarski 2012).',
      )
      .requiredOption('--changes <file>', 'what appeared')
      .requiredOption('--captures <file>', 'when pages were captured')
      .option('--weights <file>', 'importance of pages; 1 where it is not given'),
  )
    .addHelpText(
      'after',
      `${FORMATS}\n\nExample:\n  daguerre lab completeness --changes changes.tsv --captures captures.tsv`,
    )
    .action(async (flags: LabCompletenessFlags) => {
      const { labCompleteness } = await import('../lab/completeness.ts');
      await labCompleteness(flags);
    });
}

/** Where the histories come from, and how their days are cut. */
function historyOptions(command: Command): Command {
  return command
    .option('--changes <file>', 'what appeared, and when')
    .option('--observations <file>', 'what visits saw')
    .option('--periods <number>', 'periods of a day', parsePeriods, 24)
    .option('--timezone <zone>', 'local time of the pages, as in Europe/Berlin', 'UTC');
}

function patternsCommand(lab: Command, options: Options): void {
  options(
    historyOptions(
      lab
        .command('patterns')
        .summary('when pages change, and how much it matters')
        .description(
          'Patterns of every page, its indexing threshold, groups of pages that share a shape, and what the thresholds ' +
            'would index. Of --changes and --observations one is needed.',
        ),
    ).option(
      '--holidays <region>',
      'country whose days off may have a pattern of their own, as DE, or DE-BY',
    ),
  )
    .addHelpText(
      'after',
      `${FORMATS}\n\nExample:\n  daguerre lab patterns --observations news.tsv.gz --timezone Europe/Berlin --out figures/`,
    )
    .action(async (flags: LabPatternsFlags) => {
      const { labPatterns } = await import('../lab/patterns.ts');
      await labPatterns(flags);
    });
}

function policiesCommand(lab: Command, options: Options): void {
  options(
    historyOptions(
      lab
        .command('policies')
        .summary('every crawl policy on the same pages, with the optimum beside')
        .description(
          'Runs every refresh policy over the same histories at every budget, and measures weighted completeness, with ' +
            'the clairvoyant optimum beside it. Of --changes and --observations one is needed.',
        ),
    )
      .option('--budget <list>', 'visits per period, % of the pages', parseBudgets, [2, 5, 10, 20, 30, 50])
      .addOption(
        new Option('--objective <name>', 'what policies are to make large')
          .choices(OBJECTIVES)
          .default('per-page'),
      )
      .option('--from <days>', 'days to leave out at the beginning', parseDays, 0)
      .option('--train <days>', 'days to learn from before (default: half, at most 60)', parseDays)
      .option('--test <days>', 'days to be captured, after those (default: the rest, at most 60)', parseDays)
      .option('--cold', 'know nothing at the start; learn from own visits', false)
      .option('--weights <file>', 'importance of pages; 1 where it is not given')
      .option('--policy <name...>', `only these; there are: ${REFRESH_POLICY_NAMES.join(', ')}`)
      .addOption(
        new Option('--pages <which>', 'all pages of the file, or every second one')
          .choices(['all', 'odd', 'even'])
          .default('all'),
      )
      .option('--rounds <number>', 'of the bootstrap over pages; 0 for none', parseCount, 1000),
  )
    .addHelpText(
      'after',
      `${FORMATS}

Examples:
  daguerre lab policies --changes changes.tsv --budget 10,20,30
  daguerre lab policies --observations news.tsv.gz --timezone Europe/Berlin --train 60 --test 60 --budget 2,5,10,20,30,50 --cold --json`,
    )
    .action(async (flags: LabPoliciesFlags) => {
      const { labPolicies } = await import('../lab/policies.ts');
      await labPolicies(flags);
    });
}

function parseNumber(text: string, what: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value < Infinity)) {
    throw new InvalidArgumentError(`'${text}' is not ${what}`);
  }
  return value;
}

const parseDays = (text: string): number => parseNumber(text, 'a number of days');

const parseBudgets = (text: string): readonly number[] =>
  text.split(',').map((part) => parseNumber(part, 'a budget; write percents of the pages as 2,5,10'));

function parsePeriods(text: string): number {
  const periods = parseCount(text);
  if (!(periods >= 1 && periods <= 1440))
    throw new InvalidArgumentError(`a day has 1 to 1440 periods, not ${text}`);
  return periods;
}
