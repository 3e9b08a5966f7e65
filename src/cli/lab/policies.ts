import { type Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../archive/user-error.ts';
import {
  type Histories,
  historiesFromChanges,
  historiesFromObservations,
} from '../../lab/policies/histories.ts';
import { spanOf, timeWindows, type Windows } from '../../lab/policies/time-window.ts';
import { REFRESH_POLICY_NAMES } from '../../science/policy/refresh/policies.ts';
import { OBJECTIVES, type Objective } from '../../science/quality/completeness.ts';
import { parseCount } from '../arguments.ts';
import { show } from './lab-options.ts';
import { readHistories, readWeights, type Skipping } from './page-files.ts';
import { FORMATS, type HistoryFlags, historyOptions, tableOptions } from './table-options.ts';

interface PoliciesFlags extends HistoryFlags {
  readonly budget: readonly number[];
  readonly objective: Objective;
  readonly from: number;
  readonly train?: number;
  readonly test?: number;
  readonly cold: boolean;
  readonly bank: boolean;
  readonly weights?: string;
  readonly policy?: readonly string[];
  readonly pages: 'all' | 'odd' | 'even';
  readonly rounds: number;
}

export function policiesCommand(lab: Command): void {
  tableOptions(
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
      .option(
        '--bank',
        'visits not made are kept for later by policies that have a price, and by the optimum',
        false,
      )
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
    .action(runPolicies);
}

const DAY = 86_400;

async function runPolicies(flags: PoliciesFlags): Promise<void> {
  const { policies } = await import('../../lab/policies/report.ts');
  const { budget: budgets, objective, cold, bank, periods, timezone, seed, rounds } = flags;
  const unknown = flags.policy?.find((name) => !REFRESH_POLICY_NAMES.includes(name));
  if (unknown !== undefined)
    throw new UserError(`no policy is named '${unknown}'; there are: ${REFRESH_POLICY_NAMES.join(', ')}`);
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const input = {
    ...readWindows(flags, skipping),
    budgets,
    objective,
    cold,
    bank,
    periods,
    period: DAY / periods,
    seed,
    rounds,
    ...(flags.policy && { policies: flags.policy }),
  };
  await show(policies, input, flags, { periods, timezone, seed, skipped: skipping.skipped });
}

function readWindows(
  flags: PoliciesFlags,
  skipping: Skipping,
): { readonly histories: Histories; readonly windows: Windows } {
  const given = readHistories(flags, skipping);
  const weights = readWeights(flags.weights, skipping);
  const windows = timeWindows(spanOf(given.table.pages) - flags.from * DAY, flags);
  const odd = new Set([...given.table.pages.keys()].filter((_, index) => index % 2 === 0));
  const options = {
    from: flags.from,
    ...windows,
    zone: flags.timezone,
    ...(weights && { weights }),
    keep: (page: string) => flags.pages === 'all' || odd.has(page) === (flags.pages === 'odd'),
  };
  const histories =
    given.kind === 'observations'
      ? historiesFromObservations(given.table.pages, options)
      : historiesFromChanges(given.table.pages, options);
  if (histories.pages.length === 0)
    throw new UserError(`nothing of any importance changed in the ${windows.test} days of the test`);
  return { histories, windows };
}

function parsePositive(text: string, what: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value < Infinity)) {
    throw new InvalidArgumentError(`'${text}' is not ${what}`);
  }
  return value;
}

const parseDays = (text: string): number => parsePositive(text, 'a number of days');

const parseBudgets = (text: string): readonly number[] =>
  text.split(',').map((part) => parsePositive(part, 'a budget; write percents of the pages as 2,5,10'));
