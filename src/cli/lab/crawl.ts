import { type Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../archive/user-error.ts';
import { REVISIT_MODES, type RevisitMode } from '../../model/site-capture.ts';
import { DEFAULT_SITE_ORDER, SITE_ORDER_NAMES } from '../../science/policy/site-order.ts';
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
  readonly data?: string;
  readonly starts: number;
  readonly hours: readonly number[];
  readonly gap: number;
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
    .option('--data <folder>', 'real histories in place of an invented web: sites/teletext-*.tsv.gz in it')
    .option('--starts <number>', 'with --data, captures per site and duration', parseSome, 3)
    .option('--hours <list>', 'with --data, how long a capture takes', parseHours, [6, 24, 96])
    .option(
      '--gap <hours>',
      'with --data, from the capture before to the one that is measured',
      parseNumber,
      24,
    )
    .addHelpText(
      'after',
      `
Examples:
  daguerre lab crawl --pages 500
  daguerre lab crawl --sites 20 --pages 200 --order adaptive-organ-pipe breadth-first --revisit sharp --json
  daguerre lab crawl --history 4 --rates learned --hot-pages anywhere --out figures/
  daguerre lab crawl --data ../data --starts 3 --hours 6,24,96`,
    )
    .action(runCrawl);
}

async function runCrawl(flags: CrawlFlags): Promise<void> {
  if (flags.data !== undefined) return await runRealSites(flags, flags.data);
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
    processorTime,
  };
  const settings = { sites, pages, revisit, delay, latency, rates, history, seed };
  await show(crawl, input, flags, { settings });
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function runRealSites(flags: CrawlFlags, folder: string): Promise<void> {
  const { labPorts: ports } = await import('../../archive/crawl/lab-ports.ts');
  const { realSites } = await import('../../lab/crawl/real-sites.ts');
  const { realSharp } = await import('../../lab/crawl/real-sharp.ts');
  const { Skipped } = await import('../../lab/experiment/experiment.ts');
  const { siteHistories } = await import('../../lab/reproduce/site-histories.ts');
  const histories = siteHistories(folder);
  if (histories instanceof Skipped) throw new UserError(histories.reason);
  const { starts, hours, gap, revisit } = flags;
  if (revisit === 'blur' || revisit === 'agree')
    throw new UserError('--data measures --revisit none and sharp');
  const progress = (what: string): void => void process.stderr.write(`${what}\n`);
  const input = { histories, starts, hours, gap, order: DEFAULT_SITE_ORDER, ports, progress };
  const study = revisit === 'sharp' ? realSharp : realSites;
  await show(study, input, flags, { settings: { starts, hours, gap, revisit } });
}

export function parseHours(text: string): readonly number[] {
  const hours = text.split(',').map(parseNumber);
  if (hours.every((one) => one > 0)) return hours;
  throw new InvalidArgumentError('write hours with commas between them, such as 6,24,96');
}

function parseSome(text: string): number {
  const count = parseCount(text);
  if (count >= 1 && count < Number.POSITIVE_INFINITY) return count;
  throw new InvalidArgumentError('there must be at least one, and an end');
}

/** Changes of a page per day, above which drawing them would take longer than the crawl. */
const MOST_CHANGES = 1_000_000;

function parseHottest(text: string): number {
  const changes = parseNumber(text);
  if (changes >= 0 && changes <= MOST_CHANGES) return changes;
  throw new InvalidArgumentError(`a page changes 0 to ${MOST_CHANGES} times a day, not ${text}`);
}
