import { type Command, InvalidArgumentError, Option } from 'commander';
import { REVISIT_MODES, type RevisitMode } from '../../model/site-capture.ts';
import { SITE_ORDER_NAMES } from '../../science/policy/site-order.ts';
import { parseCount, parseDuration } from '../arguments.ts';
import { type LabFlags, labOptions, parseNumber, show } from './lab-options.ts';

interface CrawlFlags extends LabFlags {
  readonly sites: number;
  readonly pages: number;
  readonly order: readonly string[];
  readonly revisit: RevisitMode;
  readonly delay: number;
  readonly latency: number;
  readonly workers: number;
  readonly rates: 'true' | 'learned';
  readonly history: number;
  readonly every: number;
  readonly hottest: number;
  readonly hotPages: 'on-top' | 'anywhere';
  readonly seed: string;
}

export function crawlCommand(lab: Command): void {
  labOptions(
    lab
      .command('crawl')
      .summary('whole crawls of an invented web, with the truth beside')
      .description(
        'Runs the crawler that archives on sites whose every change is known, in memory and under a clock that leaps, once ' +
          'for each order: blur and sharp pages as the capture tells them, as they are, and as the order is simulated.',
      ),
  )
    .option('--sites <number>', 'sites, crawled side by side', parseSome, 1)
    .option('--pages <number>', 'pages of each site', parseSome, 1024)
    .addOption(
      new Option('--order <name...>', 'orders to compare')
        .choices(SITE_ORDER_NAMES)
        .default(SITE_ORDER_NAMES, 'all'),
    )
    .addOption(
      new Option('--revisit <purpose>', 'second visit of every page').choices(REVISIT_MODES).default('none'),
    )
    .option('--delay <time>', 'between two requests to a site', parseDuration, 10_000)
    .option('--latency <time>', 'mean time of an answer', parseDuration, 100)
    .option('--workers <number>', 'visits under way at once', parseSome, 64)
    .addOption(
      new Option('--rates <which>', 'what orders know of change: the truth, or what earlier crawls saw')
        .choices(['true', 'learned'])
        .default('true'),
    )
    .option('--history <number>', 'crawls before the one that is measured', parseCount, 0)
    .option('--every <time>', 'from one crawl to the next', parseDuration, 86_400_000)
    .option('--hottest <number>', 'changes a day of the hottest page', parseHottest, 240)
    .addOption(
      new Option('--hot-pages <where>', 'the hottest stand nearest to the entry, or anywhere')
        .choices(['on-top', 'anywhere'])
        .default('on-top'),
    )
    .option('--seed <seed>', 'of all that is drawn', '1')
    .addHelpText(
      'after',
      `
Examples:
  daguerre lab crawl --pages 500
  daguerre lab crawl --sites 20 --pages 200 --order adaptive-organ-pipe breadth-first --revisit sharp --json
  daguerre lab crawl --history 4 --rates learned --hot-pages anywhere --out figures/`,
    )
    .action(runCrawl);
}

async function runCrawl(flags: CrawlFlags): Promise<void> {
  const { labPorts } = await import('../../archive/crawl/lab-ports.ts');
  const { crawl } = await import('../../lab/crawl/crawl.ts');
  const { WEB } = await import('../../lab/crawl/synthetic-web.ts');
  const { sites, pages, order: orders, revisit, delay, latency, workers, rates, history, every } = flags;
  const { hottest, hotPages, seed } = flags;
  const input = {
    web: { ...WEB, sites, pages, latency, hottest, hotPages, seed },
    orders,
    settings: { revisit, delay, workers, rates, seed },
    history,
    every,
    ports: labPorts,
    realNow: () => performance.now(),
  };
  const settings = { sites, pages, revisit, delay, latency, rates, history, seed };
  await show(crawl, input, flags, { settings });
}

function parseSome(text: string): number {
  const count = parseCount(text);
  if (count >= 1 && count < Number.POSITIVE_INFINITY) return count;
  throw new InvalidArgumentError('there must be at least one, and an end');
}

/** Changes of a page in a day, past which drawing them would take longer than the crawl. */
const MOST_CHANGES = 1_000_000;

function parseHottest(text: string): number {
  const changes = parseNumber(text);
  if (changes >= 0 && changes <= MOST_CHANGES) return changes;
  throw new InvalidArgumentError(`a page changes 0 to ${MOST_CHANGES} times a day, not ${text}`);
}
