import { type Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../archive/user-error.ts';
import { parseLinks, parseRanking, parseScores } from '../../lab/data/page-tables.ts';
import type { NamedScores, Ranking, RankingInput } from '../../lab/importance/ranking.ts';
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
  readonly ranking?: string;
  readonly second?: string;
  readonly scores?: string;
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
      )
      .option(
        '--ranking <file>',
        "a person's ranking: page or site, rank (1 is first): how well importance agrees",
      )
      .option('--second <file>', 'that of another person, to see how far people agree')
      .option('--scores <file>', 'page or site, name, value: more scores to weigh, such as text weight'),
  )
    .addHelpText(
      'after',
      `
Examples:
  daguerre lab importance --links links.tsv --visits 40 --order greedy --out figures/
  daguerre lab importance --links links.tsv --ranking anna.tsv --second karl.tsv --scores words.tsv`,
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
  const ranking = readRanking(flags, skipping, stream(flags.seed, 'ranking').next);
  const { skipped } = skipping;
  const input = { links, damping, visits, order, random, ...(ranking && { ranking }) };
  await show(importance, input, flags, { skipped });
}

function readRanking(
  { ranking, second, scores }: ImportanceFlags,
  skipping: Skipping,
  random: () => number,
): RankingInput | undefined {
  if (ranking === undefined) {
    if (second !== undefined || scores !== undefined)
      throw new UserError('--second and --scores need a ranking to be compared with: --ranking <file>');
    return undefined;
  }
  const read = (file: string): Ranking => {
    const { pages } = readPages(file, parseRanking, skipping);
    return new Map([...pages].map(([page, [rank]]) => [page, rank as number]));
  };
  return {
    first: read(ranking),
    ...(second !== undefined && { second: read(second) }),
    scores: scores === undefined ? new Map() : readScores(scores, skipping),
    random,
  };
}

function readScores(file: string, skipping: Skipping): NamedScores {
  const byName = new Map<string, Map<string, number>>();
  for (const [page, values] of readPages(file, parseScores, skipping).pages) {
    for (const { name, value } of values) {
      const named = byName.get(name) ?? new Map<string, number>();
      byName.set(name, named.set(page, value));
    }
  }
  return byName;
}
