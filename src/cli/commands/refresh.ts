import { type Command, Option } from 'commander';
import { CRAWL_SETTINGS } from '../../archive/crawl/crawl-settings.ts';
import { type OpenArchive, openForReading, openForWriting } from '../../archive/open/open-archive.ts';
import { requireArchive } from '../../archive/open/require-archive.ts';
import {
  findRefresh,
  type WantedSites,
  wantedBy,
  wantedByPatterns,
  wantedByPerimeter,
} from '../../archive/refresh/open-refresh.ts';
import type { SpecChanges } from '../../archive/refresh/site-spec.ts';
import { systemClock } from '../../archive/system-clock.ts';
import { UserError } from '../../archive/user-error.ts';
import { serveAskers } from '../../archive/writer/serve-askers.ts';
import { RENDER_MODES } from '../../model/crawl.ts';
import type { SiteBudget } from '../../science/policy/sites/divide-budget.ts';
import { parseCount, parseDuration, parseShare, parseSize } from '../arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { checkedSettings } from '../given-settings.ts';
import { onInterrupt } from '../interrupt.ts';
import { progressLine } from '../progress-line.ts';
import { planText, refreshText, siteLine } from '../refresh-text.ts';
import { say } from '../status-line.ts';
import { writeOutput } from '../write-output.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';

interface RefreshFlags extends CommonOptions {
  readonly skipByRules: boolean;
  readonly allowPrivate?: boolean;
  readonly budget: number;
  readonly discovery: number;
  readonly within: readonly string[];
  readonly perimeter?: string;
  readonly config?: string;
  readonly dryRun: boolean;
  readonly restart: boolean;
  readonly syncEvery: number;
  readonly rotateSize: number;
}

/** Pages. */
const BUDGET = 500;
/** Settings of crawls that a refresh may change, checked as `archive` checks them. */
const CHANGES = CRAWL_SETTINGS.pick({
  missAtMost: true,
  refreshEvery: true,
  render: true,
  delay: true,
  workers: true,
  timeLimit: true,
  attempts: true,
}).partial();
const AS_BEFORE = '(default: as in the last crawl of the site)';

export function refreshCommand(program: Command): void {
  archiveOptions(
    program
      .command('refresh')
      .summary('read sites again, those first that are most worth it, within a budget')
      .description(
        'Reads the sites of the archive again, whole and one after the other, in the order of ρ = importance × time since ' +
          'the last crawl × changes ÷ pages, until the budget is spent. Each is an ordinary crawl, as the last one of ' +
          'the site was, with --skip-by-rules. The same command goes on after an interruption.',
      ),
  )
    .option('--budget <pages>', 'pages to visit at most', parseCount, BUDGET)
    .option(
      '--discovery <share>',
      'part of the budget for sites that are known by links alone, e.g. 20%',
      parseShare,
      0,
    )
    .option(
      '--within <pattern...>',
      'regular expression of URLs: which of those sites may be read (repeatable)',
      [],
    )
    .option(
      '--perimeter <name>',
      'those of them that are believed to belong to this perimeter, by chance × importance (docs/perimeter.md)',
    )
    .option(
      '--config <file>',
      'the file that holds the perimeter; otherwise as the last crawl that kept to it had it',
    )
    .option('--dry-run', 'tell what would be read and why, and read nothing', false)
    .option('--no-skip-by-rules', 'visit every page of each site')
    .option('--miss-at-most <share>', `share of changed pages that rules may miss ${AS_BEFORE}`)
    .option('--refresh-every <crawls>', `crawls after which a directory is visited again ${AS_BEFORE}`)
    .addOption(new Option('--render <mode>', `how pages are captured ${AS_BEFORE}`).choices(RENDER_MODES))
    .option('--delay <duration>', `pause between two requests to one host ${AS_BEFORE}`)
    .option('--workers <number>', `visits under way at once ${AS_BEFORE}`)
    .option('--time-limit <duration>', `time for each site ${AS_BEFORE}`)
    .option('--attempts <number>', `tries per URL ${AS_BEFORE}`)
    .option(
      '--allow-private',
      'allow requests to private and loopback addresses, though the last crawl did not',
    )
    .option('--restart', 'begin anew though the last refresh was not finished', false)
    .option('--sync-every <duration>', 'how often records are forced to disk', parseDuration, 1000)
    .option('--rotate-size <size>', 'begin a new record file past this size', parseSize, 1_000_000_000)
    .addHelpText(
      'after',
      `
Examples:
  daguerre refresh --dry-run
  daguerre refresh --budget 2000
  daguerre refresh --budget 2000 --discovery 20% --within '^https?://[^/]+\\.fr/'
  daguerre refresh --budget 2000 --discovery 20% --perimeter french-web
  daguerre refresh --json > refresh.json`,
    )
    .action(async (flags: RefreshFlags & Readonly<Record<string, unknown>>) => {
      process.exitCode = await refresh(flags);
    });
}

async function refresh(flags: RefreshFlags & Readonly<Record<string, unknown>>): Promise<number> {
  const budget: SiteBudget = { pages: flags.budget, discovery: flags.discovery };
  const byPerimeter = flags.perimeter !== undefined || flags.config !== undefined;
  if (budget.discovery > 0 && flags.within.length === 0 && !byPerimeter)
    throw new UserError(
      "--discovery reads sites that nobody named: say which with --perimeter NAME, or with --within, such as --within '^https?://[^/]+\\.fr/'",
    );
  if (budget.discovery === 0 && byPerimeter)
    throw new UserError(
      '--perimeter says which new sites are read: give them a part of the budget, such as --discovery 20%',
    );
  // Rejects bad patterns before anything is opened.
  const byPattern = wantedBy(flags.within);
  const wanted: WantedOf = (archive) =>
    byPerimeter
      ? wantedByPerimeter(
          archive,
          {
            ...(flags.perimeter !== undefined && { name: flags.perimeter }),
            ...(flags.config !== undefined && { config: flags.config }),
          },
          flags.within,
          systemClock.now(),
        )
      : wantedByPatterns(archive, byPattern, systemClock.now());
  const changes = givenChanges(flags);
  return flags.dryRun ? dryRun(flags, budget, wanted) : readSites(flags, { budget, wanted, changes });
}

type WantedOf = (archive: OpenArchive) => Promise<WantedSites>;

function givenChanges(flags: RefreshFlags & Readonly<Record<string, unknown>>): SpecChanges {
  const keys = Object.keys(CHANGES.shape).filter((key) => flags[key] !== undefined);
  const given = Object.fromEntries(keys.map((key) => [key, flags[key]]));
  const checked = checkedSettings(CHANGES, given, () => true);
  // Defaults are those of the last crawl, not of the settings.
  const changes = Object.fromEntries(Object.entries(checked).filter(([key]) => keys.includes(key)));
  return { skipByRules: flags.skipByRules, allowPrivate: flags.allowPrivate, ...changes };
}

async function dryRun(flags: RefreshFlags, budget: SiteBudget, wanted: WantedOf): Promise<number> {
  const { refreshCandidates, refreshPlan } = await import('../../archive/refresh/plan-refresh.ts');
  const archive = await openForReading(flags);
  try {
    const now = systemClock.now();
    const sites = await wanted(archive);
    const candidates = await refreshCandidates(archive.catalog, now, sites.wanted, sites.isOut);
    const plan = refreshPlan(candidates, new Date(now).toISOString(), budget);
    const json = {
      budget: budget.pages,
      discovery: budget.discovery,
      sites: plan.sites.map(({ fact, limit, isPart, candidate: { reason, estimated } }) => ({
        ...fact,
        limit,
        isPart,
        reason,
        ...(estimated !== undefined && { estimated }),
      })),
      left: plan.left.map(({ site, pages, priority }) => ({ site, pages, priority })),
      unwanted: plan.unwanted,
      decidedOut: plan.decidedOut,
    };
    await writeOutput(flags.json ? `${JSON.stringify(json)}\n` : planText(plan, budget.pages), undefined);
    return EXIT.ok;
  } finally {
    await archive.close();
  }
}

async function readSites(
  flags: RefreshFlags,
  {
    budget,
    wanted,
    changes,
  }: {
    readonly budget: SiteBudget;
    readonly wanted: WantedOf;
    readonly changes: SpecChanges;
  },
): Promise<number> {
  const { runRefresh } = await import('../../archive/refresh/run-refresh.ts');
  const interrupt = onInterrupt('Stopping: finishing the pages in hand (Ctrl-C again leaves at once).');
  const tell = (sentence: string): void => say(process.stderr, sentence);
  await requireArchive(flags);
  const archive = await openForWriting(flags, 'refresh', { signal: interrupt.signal, onWait: tell });
  const desk = await serveAskers(archive, flags, { onRequest: tell, onStop: interrupt.stop });
  const progress = progressLine(process.stderr, systemClock.now);
  try {
    for (const sentence of archive.mended) tell(sentence);
    const { run, resumed } = await findRefresh(archive.folder, budget, {
      restart: flags.restart,
      now: systemClock.now(),
    });
    if (resumed) tell(`Going on with the refresh begun ${run.run}.`);
    const { perimeter, ...sites } = await wanted(archive);
    const report = await runRefresh(archive, {
      run,
      ...sites,
      changes: { ...changes, perimeter },
      clock: systemClock,
      signal: interrupt.signal,
      syncEvery: flags.syncEvery,
      rotateSize: flags.rotateSize,
      onPlan: (plan, spent) => process.stderr.write(planText(plan, budget.pages - spent)),
      onNote: tell,
      onProgress: (now) => progress.show(now),
      onSiteRead: (read) => {
        progress.end();
        tell(siteLine(read));
      },
    });
    progress.end();
    await writeOutput(flags.json ? `${JSON.stringify(report)}\n` : refreshText(report), undefined);
    if (report.state === 'stopped') return EXIT.interrupted;
    const proven = report.sites.reduce((sum, site) => sum + site.proven, 0);
    return report.sites.length > 0 && proven === 0 ? EXIT.nothingCaptured : EXIT.ok;
  } finally {
    progress.end();
    await desk.close(interrupt.signal);
    interrupt.dispose();
    await archive.close();
  }
}
