import { type Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../archive/user-error.ts';
import { type HistoryVersions, historyVersions } from '../../lab/data/history-versions.ts';
import { parseHistory } from '../../lab/data/site-history.ts';
import { parseCount, parseDuration } from '../arguments.ts';
import { show } from './lab-options.ts';
import { readPages, type Skipping } from './page-files.ts';
import { type TableFlags, tableOptions } from './table-options.ts';

interface NearFlags extends TableFlags {
  readonly history: string;
  /** Seconds. */
  readonly every: number;
  readonly doc: number;
  readonly foc: number;
  readonly coc?: number;
  readonly confidence: number;
  readonly relaxed: boolean;
  readonly from: number;
  readonly train?: number;
  readonly test?: number;
  readonly target: string;
  readonly tree: 'path' | 'parameters';
}

const WEEK = 604_800;
const SPANS: Readonly<Record<string, number>> = { week: WEEK, day: 86_400, hour: 3600 };

export function nearCommand(lab: Command): void {
  tableOptions(
    lab
      .command('near')
      .summary('directories that do not change while those above them do')
      .description(
        "NEAR-Miner on a site's history: rules 'when / and /doc/ change, /doc/old/ does not', and what leaving such " +
          'directories out of the next versions would have saved and lost (WARM).',
      )
      .requiredOption('--history <file>', 'table of path, kind (A|M|D), unix time, size, digest'),
  )
    .option('--every <span>', 'a version for each: week, day, or seconds', parseSpan, WEEK)
    .option('--doc <α>', 'degree of change that is significant, above 0', parsePositiveShare, 0.5)
    .option('--foc <β>', 'how often the directories of a head must change together', parseShare, 0.6)
    .option('--coc <γ>', 'how negative the correlation must be (default: .5, lowered to .3)', parseShare)
    .option('--confidence <θ>', 'how often the rule must have held', parseShare, 0.5)
    .option('--relaxed', 'also rules whose correlation is undefined: the tail never changed', false)
    .option('--from <versions>', 'versions to leave out at the beginning', parseCount, 0)
    .option(
      '--train <versions>',
      'mine from so many, then try the rules (default: mine all, try nothing)',
      parseCount,
    )
    .option('--test <versions>', 'try them on so many after those (default: 1)', parseCount)
    .option('--target <directory>', 'the directory that is archived', '/')
    .addOption(
      new Option('--tree <from>', 'directories from paths, or from query parameters, fewest values first')
        .choices(['path', 'parameters'])
        .default('path'),
    )
    .addHelpText(
      'after',
      `
Thresholds are decimals or fractions (.3, 1/3), and compared exactly. The table is tab-separated, gzip or not.

Examples:
  daguerre lab near --history site.tsv.gz --every week --doc .05 --foc .1
  daguerre lab near --history site.tsv.gz --train 20 --test 1 --json`,
    )
    .action(runNear);
}

async function runNear(flags: NearFlags): Promise<void> {
  const { doc, foc, coc, confidence, relaxed, from, train, test = 1, tree } = flags;
  if (train === undefined && flags.test !== undefined)
    throw new UserError('--test needs --train: how many versions to mine from');
  if (train !== undefined && train < 2)
    throw new UserError('--train must be at least 2: one version has no change');
  if (test < 1) throw new UserError('--test must be at least 1');
  const { near } = await import('../../lab/evolution/near.ts');
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const versions = versionsOf(flags, skipping);
  const thresholds = { alpha: doc, beta: foc, gamma: coc, theta: confidence, relaxed };
  const target = `/${flags.target.split('/').filter(Boolean).join('/')}/`.replace('//', '/');
  const input = { versions, thresholds, from, train, test, target, tree };
  await show(near, input, flags, { skipped: skipping.skipped });
}

function versionsOf({ history: file, every }: NearFlags, skipping: Skipping): HistoryVersions {
  const history = readPages(file, parseHistory, skipping);
  try {
    return historyVersions(history, every);
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(`${file}: ${error.message}`);
    throw error;
  }
}

function parseSpan(text: string): number {
  const seconds = SPANS[text] ?? parseDuration(text) / 1000;
  if (!(seconds > 0)) throw new InvalidArgumentError(`a span is longer than nothing, not '${text}'`);
  return seconds;
}

/** One division of integers: equal shares come out equal, however they are written. */
function parseShare(text: string): number {
  const [above = '', below = '1', more] = text.trim().split('/');
  const isNumber = [above, below].every((part) => /^(\d+\.?\d*|\.\d+)$/.test(part.trim()));
  const value = Number(above) / Number(below);
  if (!isNumber || more !== undefined || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError(`'${text}' is not a share from 0 to 1, as .3 or 1/3`);
  return value;
}

function parsePositiveShare(text: string): number {
  const value = parseShare(text);
  if (value === 0) throw new InvalidArgumentError('a degree of change of 0 is no change: it must be above 0');
  return value;
}
