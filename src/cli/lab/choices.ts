import { type Command, InvalidArgumentError } from 'commander';
import { parseHistory } from '../../lab/data/site-history.ts';
import { parseCount } from '../arguments.ts';
import { show } from './lab-options.ts';
import { readPages, requireZone, type Skipping } from './page-files.ts';
import { type TableFlags, tableOptions } from './table-options.ts';

interface ChoicesFlags extends TableFlags {
  readonly history: string;
  readonly gaps: readonly number[];
  readonly folds: number;
  readonly moments: number;
  readonly timezone: string;
}

export function choicesCommand(lab: Command): void {
  tableOptions(
    lab
      .command('choices')
      .summary('which version was there: before, after, closest, most likely')
      .description(
        'Draws captures from a dense history of a site, learns when its pages change from a part of them, and counts how ' +
          'often each choice of version shows what was there at moments in between.',
      )
      .requiredOption('--history <file>', 'table of path, kind (A|M|D), unix time, size, digest'),
  )
    .option('--gaps <hours>', 'mean times between captures, as 6,12,24', parseGaps, [6, 12, 24])
    .option('--folds <number>', 'parts of the time, each judged by what the others taught', parseFolds, 5)
    .option('--moments <number>', 'moments of each page', parseCount, 40)
    .option('--timezone <zone>', 'local time of the pages, as in Europe/Berlin', 'UTC')
    .addHelpText(
      'after',
      '\nExample:\n  daguerre lab choices --history teletext.tsv.gz --gaps 6,24 --timezone Europe/Berlin',
    )
    .action(runChoices);
}

async function runChoices(flags: ChoicesFlags): Promise<void> {
  const { choices } = await import('../../lab/browsing/choices.ts');
  requireZone(flags.timezone);
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const history = readPages(flags.history, parseHistory, skipping);
  const { gaps, folds, moments, timezone, seed } = flags;
  const input = { history, gaps, folds, moments, timezone, seed };
  await show(choices, input, flags, { skipped: skipping.skipped });
}

function parseGaps(text: string): readonly number[] {
  const gaps = text.split(',').map(Number);
  if (gaps.length > 0 && gaps.every((gap) => gap > 0 && gap <= 8_760)) return gaps;
  throw new InvalidArgumentError(`'${text}' is no list of hours, as 6,12,24`);
}

function parseFolds(text: string): number {
  const folds = parseCount(text);
  if (folds >= 2 && folds <= 100) return folds;
  throw new InvalidArgumentError(`2 to 100 folds, not ${text}`);
}
