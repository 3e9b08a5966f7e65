import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { CRAWL_SETTINGS, type CrawlSettings, crawlSpec } from '../../archive/crawl/crawl-settings.ts';
import { DRY_RUN_ASKS, type DryRunAsks, dryRun } from '../../archive/crawl/dry-run.ts';
import { checkSpec } from '../../archive/crawl/run-crawl.ts';
import { seedUrls } from '../../archive/crawl/seed-urls.ts';
import { readConfig } from '../../archive/given/config-file.ts';
import { settledSeeds } from '../../archive/given/seed-addresses.ts';
import { readSeedFile } from '../../archive/given/seed-file.ts';
import type { OpenArchive } from '../../archive/open/open-archive.ts';
import { describesItsPerimeter } from '../../archive/perimeter/perimeter-settings.ts';
import { openGear } from '../../archive/session/crawl-gear.ts';
import { givenWays } from '../../archive/session/given-ways.ts';
import { isInTheOpen } from '../../archive/session/secret-text.ts';
import { SECRET_SETTINGS } from '../../archive/session/session-settings.ts';
import { changeSites } from '../../archive/sites/change-sites.ts';
import { SITE_RULES } from '../../archive/sites/site-settings.ts';
import { systemClock } from '../../archive/system-clock.ts';
import { UserError } from '../../archive/user-error.ts';
import type { CrawlSpec } from '../../model/crawl.ts';
import type { SiteRule } from '../../model/site-bounds.ts';
import { dryRunText } from '../dry-run-text.ts';
import { EXIT } from '../exit-codes.ts';
import { checkedSettings } from '../given-settings.ts';
import { onInterrupt } from '../interrupt.ts';
import { formatDuration } from '../quantity-text.ts';
import { onCrawlInterrupt, runAndReport, type WritingFlags } from '../run-and-report.ts';
import { chosenSetting, settingFlag } from '../setting-flags.ts';
import { say } from '../status-line.ts';
import { archiveOptions, type CommonOptions } from './common-options.ts';
import { type SilenceFlag, silenceOption } from './worker-options.ts';
import { writingOptions } from './writing-options.ts';

interface ArchiveFlags extends WritingFlags, SilenceFlag {
  readonly config?: string;
  readonly restart: boolean;
  readonly continue: boolean;
  readonly dryRun: boolean;
  readonly dryRunAsks?: DryRunAsks;
  readonly handOver: boolean;
  readonly detach: boolean;
}

/** Besides the settings of a crawl, a file may define what is a site. */
const CRAWL_FILE = CRAWL_SETTINGS.extend({ sites: SITE_RULES.optional() }).superRefine(describesItsPerimeter);

/** `seeds` are arguments, not a flag; perimeters can only be described in the file. */
const FLAGS = Object.entries(CRAWL_SETTINGS.shape).filter(([key]) => key !== 'seeds' && key !== 'perimeters');

export function archiveCommand(program: Command): void {
  const command = archiveOptions(
    program
      .command('archive')
      .argument('[url...]', 'where to begin')
      .summary('capture whole sites now')
      .description(
        'Captures whole sites into WARC files. The same command resumes a crawl that was stopped.',
      ),
  ).option('--config <file>', 'read settings from a YAML file; flags win over it');
  for (const [key, schema] of FLAGS) command.addOption(settingFlag(key, schema));
  silenceOption(writingOptions(command))
    .option('--restart', 'begin anew though the last crawl of this command was not finished', false)
    .option(
      '--continue',
      'go on with the unfinished crawl of these seeds under the settings given now: what waits and is outside them is skipped',
      false,
    )
    .option(
      '--dry-run',
      'show seeds, scope, order and limits, and crawl and write nothing; nothing is asked of the web',
      false,
    )
    .addOption(
      new Option(
        '--dry-run-asks <what>',
        'a dry run that asks for robots.txt of the seeds (robots), and for the sitemaps it names too (sitemaps)',
      ).choices(DRY_RUN_ASKS),
    )
    .option(
      '--hand-over',
      "leave it to workers, one crawl for each site: see 'daguerre worker --help'",
      false,
    )
    .option('--detach', 'with --hand-over: do not wait for its end', false)
    .addHelpText(
      'after',
      `
Examples:
  daguerre archive https://example.org/
  daguerre archive https://example.org/blog/ --depth 2 --page-limit 500 --render never
  daguerre archive https://a.example/ https://b.example/ --scope-type host --exclude '/search'
  daguerre archive https://www.culture.gouv.fr/ --perimeter french-web --page-limit 10000
  daguerre archive https://example.org/ --session crawl --consent reject
  daguerre archive https://example.org/ --storage s3://library-web/news
  daguerre archive https://example.org/members/ --cookie env:MEMBER_COOKIE
  daguerre archive https://example.org/ --proxy socks5://127.0.0.1:9050 --proxy-dns
  daguerre archive --seed-file seeds.txt --scope-type page --block-ads
  daguerre archive https://example.org/app/ --scope-type page-spa
  daguerre archive https://example.org/ --select-links 'main a->href' --block-rules '\\.mp4$'
  daguerre archive https://example.org/ --sitemap-from-date 30d --dry-run-asks sitemaps
  daguerre archive https://example.org/ --device "Pixel 9" --lang fr --screenshot view,fullPage
  daguerre archive https://example.org/ --behaviors autoscroll,loadMore,autoplay --behavior-timeout 10s
  daguerre archive --config site.yaml --json > report.json
  daguerre archive --seed-file seeds.txt --database postgres://db.example/archive --hand-over`,
    )
    .action(async (urls: string[], flags: ArchiveFlags & Record<string, unknown>) => {
      process.exitCode = await archive(urls, flags);
    });
}

async function archive(
  urls: readonly string[],
  flags: ArchiveFlags & Record<string, unknown>,
): Promise<number> {
  const { sites, ...fromFile }: Record<string, unknown> =
    flags.config === undefined ? {} : await readConfig(flags.config, CRAWL_FILE);
  const given = Object.fromEntries(
    FLAGS.map(([key, schema]) => [key, chosenSetting(flags[key], fromFile[key], schema)]).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const seeds = urls.length > 0 ? urls : fromFile.seeds;
  const settings = checkedSettings(
    CRAWL_SETTINGS,
    {
      // A web is not a list of hosts: the perimeter decides what belongs to it.
      ...(given.perimeter !== undefined && { scopeType: 'any' }),
      ...given,
      ...(fromFile.perimeters !== undefined && { perimeters: fromFile.perimeters }),
      ...(seeds !== undefined && { seeds }),
    },
    (key) => flags[key] !== undefined,
  );
  if (flags.detach && !flags.handOver) throw new UserError('--detach is for --hand-over: give both');
  if (flags.restart && flags.continue)
    throw new UserError('--restart begins anew, --continue goes on: give one of them');
  const asks = flags.dryRunAsks ?? (flags.dryRun ? 'nothing' : undefined);
  const said: string[] = [];
  warnOfOpenSecrets(flags);
  const ways = givenWays(settings);
  const settled = await settledSeeds(await allSeeds(settings, flags), {
    connects: asks !== 'nothing',
    allowPrivate: settings.allowPrivate,
    ...(ways && { ways }),
    say: (sentence) => {
      said.push(sentence);
      say(process.stderr, sentence);
    },
  });
  const wished = crawlSpec({ ...settings, seeds: settled }, flags.config);
  await checkSpec(wished);
  if (asks !== undefined) return await showDryRun(wished, asks, flags);
  const gear = await openGear(settings, seedUrls(wished));
  const spec: CrawlSpec = { ...wished, ...gear.facts };
  if (flags.handOver) {
    const { handOverCrawl } = await import('../hand-over.ts');
    return await handOverCrawl(spec, { ...settings, hasSites: sites !== undefined }, flags);
  }
  const interrupt = onCrawlInterrupt();
  if (settings.around !== undefined && !(await awaited(spec, settings.around, flags, interrupt.signal))) {
    interrupt.dispose();
    return EXIT.interrupted;
  }
  return runAndReport(flags, interrupt, async (archive) => {
    if (sites !== undefined) await applySites(SITE_RULES.parse(sites), archive);
    const { crawlMirrors } = settings;
    return { spec, restart: flags.restart, proceed: flags.continue, crawlMirrors, gear, notes: said };
  });
}

/** The seeds of arguments and settings, and those of the file they name; each once. */
async function allSeeds(
  { seeds, seedFile }: Pick<CrawlSettings, 'seeds' | 'seedFile'>,
  { config, seedFile: flagged }: ArchiveFlags & Record<string, unknown>,
): Promise<CrawlSettings['seeds']> {
  if (seedFile === undefined) return seeds;
  // Like the lists of a perimeter, a file named in a configuration is relative to it.
  const path = flagged === undefined && config !== undefined ? resolve(dirname(config), seedFile) : seedFile;
  const given = new Set(seeds.map(({ url }) => url));
  const further = (await readSeedFile(path)).filter((url) => !given.has(url));
  return [...seeds, ...further.map((url) => ({ url }))];
}

async function showDryRun(spec: CrawlSpec, asks: DryRunAsks, flags: ArchiveFlags): Promise<number> {
  const interrupt = onInterrupt('Stopping.');
  try {
    const options = { asks, location: flags, clock: systemClock, signal: interrupt.signal };
    const report = await dryRun(spec, options);
    process.stdout.write(flags.json ? `${JSON.stringify(report)}\n` : `${dryRunText(report)}\n`);
    return interrupt.signal.aborted ? EXIT.interrupted : EXIT.ok;
  } finally {
    interrupt.dispose();
  }
}

/** Waits until the capture must begin for its middle to be at this time; false if it was stopped meanwhile. */
async function awaited(
  spec: CrawlSpec,
  around: number,
  location: CommonOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { planAround } = await import('../../archive/crawl/around.ts');
  const { startAt, duration, note } = await planAround(location, spec, around, systemClock.now());
  if (note !== undefined) say(process.stderr, note);
  if (startAt <= systemClock.now()) return true;
  say(
    process.stderr,
    `Begins at ${new Date(startAt).toISOString()}: it takes about ${formatDuration(duration)}, and its middle is to be at ${new Date(around).toISOString()}.`,
  );
  // A long sleep wakes early, and the clock may be changed meanwhile.
  while (!signal.aborted && systemClock.now() < startAt)
    await systemClock.sleep(startAt - systemClock.now(), signal);
  return !signal.aborted;
}

/** It is too late to fix now, but not for the next time. */
function warnOfOpenSecrets(flags: Record<string, unknown>): void {
  const open = SECRET_SETTINGS.filter((key) => {
    const given = [flags[key] ?? []].flat() as string[];
    return given.some((text) => isInTheOpen(text) && (key !== 'proxy' || text.includes('@')));
  });
  if (open.length > 0)
    say(
      process.stderr,
      `${open.map((key) => `--${key}`).join(', ')}: everybody on this machine can read it in 'ps'; write env:NAME or file:PATH in its place.`,
    );
}

/** From now on, the file defines what the archive calls a site. */
async function applySites(rules: readonly SiteRule[], archive: OpenArchive): Promise<void> {
  const moved = await changeSites(rules, archive);
  if (moved)
    say(
      process.stderr,
      `Sites by the rules of the file: ${moved.urls} archived URLs are of another site now.`,
    );
}
