import { type Command, InvalidArgumentError, Option } from 'commander';
import { UserError } from '../../archive/user-error.ts';
import { parseObservations } from '../../lab/data/page-tables.ts';
import { SIZE_NAMES, type SizeName } from '../../lab/newspaper/sections.ts';
import { historiesFromObservations } from '../../lab/policies/histories.ts';
import type { FeedOptions } from '../../lab/watch/history-web.ts';
import type { WatchInput } from '../../lab/watch/report.ts';
import { REVISIT_MODES, type RevisitMode } from '../../model/site-capture.ts';
import { DEFAULT_SITE_ORDER } from '../../science/policy/site-order.ts';
import { OBJECTIVES, type Objective } from '../../science/quality/completeness.ts';
import { parseCount, parseDuration } from '../arguments.ts';
import { parseNumber, show } from './lab-options.ts';
import { readPages, type Skipping } from './page-files.ts';
import { FORMATS, type TableFlags, tableOptions } from './table-options.ts';

interface WatchFlags extends TableFlags {
  readonly newspaper?: SizeName;
  readonly observations?: string;
  readonly timezone: string;
  readonly budget: readonly number[];
  readonly objective: Objective;
  readonly days: number;
  readonly from: readonly number[];
  readonly train: number;
  readonly test: number;
  readonly cold: boolean;
  readonly round: number;
  readonly audit: number;
  readonly feeds?: readonly number[];
  readonly feedsOf: 'page' | 'site';
  readonly sources: boolean;
  readonly links: boolean;
  readonly firstSeed: number;
  readonly rivals: boolean;
  readonly seeds: number;
  readonly captures?: number;
  readonly revisit: RevisitMode;
}

export function watchLabCommand(lab: Command): void {
  tableOptions(
    lab
      .command('watch')
      .summary("the living archive's own loop on webs whose truth is known")
      .description(
        'Runs the loop of `watch` under a clock that leaps, on the living newspaper or on what visits saw, and says what it ' +
          'captured, how late, and with which requests; beside it what others do with as many, and the clairvoyant optimum.',
      )
      .addOption(new Option('--newspaper <size>', 'the living newspaper').choices(SIZE_NAMES))
      .option('--observations <file>', 'what visits saw of real pages')
      .option('--timezone <zone>', 'local time of the pages, as in Europe/Berlin', 'UTC')
      .option('--budget <list>', 'requests per hour, % of the pages', parseList, [2, 5, 10, 20, 30])
      .addOption(
        new Option('--objective <name>', 'what is to be large').choices(OBJECTIVES).default('per-page'),
      )
      .option('--days <number>', 'of the newspaper', parseNumber, 14)
      .option('--from <list>', 'first days of windows in the file', parseList, [0])
      .option('--train <days>', 'days to learn from before', parseNumber, 60)
      .option('--test <days>', 'days to be captured', parseNumber, 60)
      .option('--cold', 'know no rhythms at the start', false)
      .option('--round <time>', 'from round to round', parseDuration, 900_000)
      .option('--audit <percent>', 'of the requests for audits', parseNumber, 2)
      .option(
        '--feeds <recall,noise>',
        'simulated feeds of the file: chance that a change is told; noise of its size',
        parseList,
      )
      .addOption(
        new Option('--feeds-of <what>', 'one feed for each').choices(['page', 'site']).default('site'),
      )
      .option('--no-sources', 'of the newspaper, leave feeds and sitemaps unread')
      .option('--links', 'of the newspaper, a link that is new on a page is a signal', false)
      .option('--first-seed <number>', 'of the newspapers', parseCount, 1)
      .option('--captures <time>', 'of the newspaper, capture the whole site so often', parseDuration)
      .addOption(
        new Option('--revisit <purpose>', 'of these captures, second visit of every page')
          .choices(REVISIT_MODES)
          .default('sharp'),
      )
      .option('--no-rivals', 'only the watch and the optimum')
      .option('--seeds <number>', 'newspapers, or draws of feeds', parseCount, 1),
  )
    .addHelpText(
      'after',
      `${FORMATS}

Examples:
  daguerre lab watch --newspaper medium --days 14 --seeds 3
  daguerre lab watch --observations news.tsv.gz --timezone Europe/Berlin --round 1h --budget 10 --feeds 0.8,0.5`,
    )
    .action(runWatchLab);
}

async function runWatchLab(flags: WatchFlags): Promise<void> {
  const { watch } = await import('../../lab/watch/report.ts');
  const skipping: Skipping = { skipBad: flags.skipBad, skipped: 0 };
  if ((flags.newspaper === undefined) === (flags.observations === undefined))
    throw new UserError('either --newspaper or --observations is needed, not both');
  const webs =
    flags.newspaper === undefined
      ? await fileWebs(flags, skipping)
      : await newspapers(flags, flags.newspaper);
  const { budget: budgets, objective, rivals, round, audit, cold } = flags;
  const captures = await capturesOf(flags);
  await show(watch, { webs, budgets, objective, rivals, ...(captures && { captures }) }, flags, {
    round,
    audit,
    cold,
    skipped: skipping.skipped,
  });
}

async function capturesOf({ captures: every, revisit, newspaper }: WatchFlags) {
  if (every === undefined) return undefined;
  if (newspaper === undefined)
    throw new UserError('--captures needs --newspaper: of pages in a file no whole site is known');
  const { labPorts: ports } = await import('../../archive/crawl/lab-ports.ts');
  return { every, order: DEFAULT_SITE_ORDER, revisit, ports };
}

const settingsOf = ({ round, audit }: WatchFlags) => ({
  budget: { requestsPerHour: 0 },
  round,
  shares: { audit: audit / 100 },
});

/** A Monday. */
const NEWSPAPER_START = Date.UTC(2026, 10, 2);

async function newspapers(flags: WatchFlags, size: SizeName): Promise<WatchInput['webs']> {
  const { newspaperWeb } = await import('../../lab/watch/newspaper-web.ts');
  return Array.from({ length: flags.seeds }, (_, index) => {
    const seed = index + flags.firstSeed;
    const { days, sources: feeds, links } = flags;
    const options = { seed, start: NEWSPAPER_START, days, size, feeds, links };
    return {
      name: `newspaper ${size}, seed ${seed}${flags.sources ? ', feeds and sitemaps read' : ''}`,
      web: () => newspaperWeb(options),
      settings: { ...settingsOf(flags), horizon: flags.days * 24 },
    };
  });
}

async function fileWebs(flags: WatchFlags, skipping: Skipping): Promise<WatchInput['webs']> {
  const { historyWeb } = await import('../../lab/watch/history-web.ts');
  const { trainedPages } = await import('../../lab/policies/knowledge.ts');
  const { train, test, timezone: zone, cold, seeds } = flags;
  const table = readPages(flags.observations as string, parseObservations, skipping);
  return flags.from.flatMap((from) => {
    const histories = historiesFromObservations(table.pages, { from, train, test, zone });
    if (histories.pages.length === 0)
      throw new UserError(`nothing of any importance changed in the ${test} days from day ${from + train}`);
    const trained = cold ? undefined : trainedPages(histories);
    return Array.from({ length: flags.feeds ? seeds : 1 }, (_, index) => {
      const feeds = feedsOf(flags, `${flags.seed} ${index}`);
      return {
        name: `from day ${from}${feeds ? `, feeds drawn by ${feeds.seed}` : ''}`,
        web: () => historyWeb(histories, { cold, ...(trained && { trained }), ...(feeds && { feeds }) }),
        settings: { ...settingsOf(flags), horizon: test * 24, slotsOf: () => ({ zone }) },
      };
    });
  });
}

/** As in the study of data kept apart: read every two hours, at a tenth of the cost of a visit. */
const FEEDS = { every: 7_200_000, cost: 0.1 } as const;

function feedsOf({ feeds, feedsOf: of }: WatchFlags, seed: string): FeedOptions | undefined {
  if (!feeds) return undefined;
  const [recall = 0, noise] = feeds;
  if (!(recall <= 1)) throw new UserError(`a recall is 0 to 1, not ${recall}`);
  return { ...FEEDS, recall, of, seed, ...(noise !== undefined && { noise }) };
}

const parseList = (text: string): readonly number[] =>
  text.split(',').map((part) => {
    const value = Number(part);
    if (part.trim() === '' || !(value >= 0 && value < Infinity))
      throw new InvalidArgumentError(`'${part}' is not a number of 0 or more; write them as 2,5,10`);
    return value;
  });
