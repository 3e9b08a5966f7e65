import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseLinks } from '../../lab/data/page-tables.ts';
import { VISIT_ORDERS, type VisitOrder } from '../../lab/importance/visit-orders.ts';
import { DAMPING } from '../../science/importance/page-rank.ts';
import { parseCount } from '../arguments.ts';
import { show } from './lab-options.ts';
import { readPages, type Skipping } from './page-files.ts';
import { type TableFlags, tableOptions } from './table-options.ts';

interface ImportanceFlags extends TableFlags {
  readonly links: string;
  readonly damping: number;
  readonly visits: number;
  readonly order: VisitOrder;
}

export function importanceCommand(lab: Command): void {
  tableOptions(
    lab
      .command('importance')
      .summary('which pages and sites matter, by the links between them')
      .description(
        'PageRank of every page, OPIC beside it as it comes out while pages are read, and the importance of sites.',
      )
      .requiredOption('--links <file>', 'from, to: tab-separated, gzip or not')
      .option('--damping <share>', 'chance that a reader follows a link', parseDamping, DAMPING)
      .option('--visits <number>', 'visits a page for OPIC', parseCount, 20)
      .addOption(
        new Option('--order <order>', 'which page is visited next').choices(VISIT_ORDERS).default('cyclic'),
      ),
  )
    .addHelpText(
      'after',
      `
Example:
  daguerre lab importance --links links.tsv --visits 40 --order greedy --out figures/`,
    )
    .action(runImportance);
}

function parseDamping(text: string): number {
  const damping = Number(text);
  if (text.trim() === '' || !(damping >= 0 && damping < 1))
    throw new InvalidArgumentError(`a share of at least 0 and below 1, such as .85, not ${text}`);
  return damping;
}

async function runImportance(flags: ImportanceFlags): Promise<void> {
  const { importance } = await import('../../lab/importance/measure.ts');
  const { stream } = await import('../../lab/newspaper/random.ts');
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  const links = readPages(flags.links, parseLinks, skipping).pages;
  const { damping, visits, order } = flags;
  const random = stream(flags.seed, 'visits').next;
  const { skipped } = skipping;
  await show(importance, { links, damping, visits, order, random }, flags, { skipped });
}
