import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { patternLine } from '../../access/pattern-text.ts';
import { listPatterns, type PatternView } from '../../access/patterns.ts';
import type { CrawlReport } from '../../archive/crawl/crawl-report.ts';
import { CRAWL_SETTINGS, crawlSpec } from '../../archive/crawl/crawl-settings.ts';
import { runCrawl } from '../../archive/crawl/run-crawl.ts';
import { type OpenArchive, openForWriting } from '../../archive/open/open-archive.ts';
import { NO_ACCESS } from '../../archive/serve/server-settings.ts';
import type { WatchStatus } from '../../archive/watch/watch-status.ts';
import type { FastClock, NeighbourOrigins, NewspaperServer } from '../../lab/newspaper/index.ts';
import { RENDER_MODES, type RenderMode } from '../../model/crawl.ts';
import { parseCount, parsePort } from '../arguments.ts';
import type { DemoProof } from '../demo-town.ts';
import { interrupted, onInterrupt } from '../interrupt.ts';
import { progressLine } from '../progress-line.ts';
import { formatSize } from '../quantity-text.ts';
import { parseFolder } from './common-options.ts';

interface DemoOptions {
  readonly archive?: string;
  readonly captures: number;
  readonly days: number;
  readonly seed: number;
  readonly render: RenderMode;
  readonly port: number;
  readonly replayPort: number;
  readonly serve: boolean;
  readonly json: boolean;
}

const HOUR = 3_600_000;
/** Monday, 2 March 2026, 07:00 UTC: a working week lies ahead. */
const START = Date.UTC(2026, 2, 2, 7);
/** Newspaper seconds per real second while a crawl runs: a slow crawl of a site that changes. */
const SPEED = 240;
/**
 * Newspaper time from the start of one capture to the next: not a day, so that they fall on different hours.
 */
const PAUSE = 27 * HOUR;

/** Pages whose pattern is shown. */
const PATTERNS_SHOWN = 3;

export function demoCommand(program: Command): void {
  program
    .command('demo')
    .summary('archive a living newspaper on loopback and look at it')
    .description(
      'Starts a small newspaper on loopback, captures it, then watches it over compressed days (as `daguerre watch` does), ' +
        'prints what the archive holds and serves it. Nothing leaves the machine.',
    )
    .option(
      '--archive <dir>',
      'keep the archive there (default: a temporary folder, removed at the end)',
      parseFolder,
    )
    .option('--captures <number>', 'times to capture the whole site', parseCount, 2)
    .option('--days <number>', 'days of its time to watch it after that', parseCount, 12)
    .option('--seed <number>', 'another seed, another newspaper', parseCount, 7)
    .addOption(new Option('--render <mode>', 'how pages are captured').choices(RENDER_MODES).default('auto'))
    .option('--port <number>', 'port of the web page', parsePort, 8470)
    .option('--replay-port <number>', 'port of replayed content', parsePort, 8471)
    .option('--no-serve', 'end after the report')
    .option('--json', 'machine-readable output on stdout', false)
    .addHelpText(
      'after',
      '\nExamples:\n  daguerre demo\n  daguerre demo --captures 2 --days 0 --render never --no-serve --json',
    )
    .action(demo);
}

/** Loaded on demand: the newspaper and the server would be a large part of the start-up of every command. */
const newspaperRoom = () => import('../../lab/newspaper/index.ts');

interface Done {
  readonly captures: readonly CrawlReport[];
  readonly proofs: readonly DemoProof[];
  readonly watch?: WatchStatus;
}

/** The whole demonstration: newspaper, captures, report, and the server until Ctrl-C. */
async function demo(options: DemoOptions): Promise<void> {
  const root = options.archive ?? (await mkdtemp(join(tmpdir(), 'daguerre-demo-')));
  const interrupt = onInterrupt('Stopping.');
  try {
    const done = await capture(root, options, interrupt.signal);
    if (options.json && !options.serve) process.stdout.write(`${JSON.stringify(done)}\n`);
    if (options.serve && !interrupt.signal.aborted) await serve(root, options, interrupt.signal);
  } finally {
    interrupt.dispose();
    if (options.archive === undefined) await rm(root, { recursive: true, force: true });
  }
}

async function capture(root: string, options: DemoOptions, signal: AbortSignal): Promise<Done> {
  const { createNewspaper, fastClock, startNeighbours, startNewspaper } = await newspaperRoom();
  const world = createNewspaper({ seed: options.seed, start: START, size: 'small' });
  const clock = fastClock({ start: START, speed: SPEED });
  const newspaper = await startNewspaper({ world, clock: clock.now });
  const neighbours = await startNeighbours(newspaper.origin, clock.now);
  const { origins } = neighbours;
  const captures: CrawlReport[] = [];
  let proofs: readonly DemoProof[] = [];
  let watch: WatchStatus | undefined;
  try {
    const archive = await openForWriting({ archive: root }, 'demo');
    try {
      say(
        options,
        `A newspaper is printed at ${newspaper.origin}; one real second is ${SPEED / 60} minutes of its time.`,
      );
      for (let number = 1; number <= options.captures && !signal.aborted; number++) {
        const begin = START + (number - 1) * PAUSE;
        if (clock.now() < begin) clock.set(begin);
        captures.push(await captureOnce(archive, { origins, clock, number }, options, signal));
      }
      await decideOf(archive, origins);
      if (!signal.aborted) proofs = await provenTown(archive, origins, clock, options, signal);
      if (options.days > 0 && !signal.aborted)
        watch = await watched(archive, newspaper, clock, options, signal);
      await summarise(archive, newspaper, clock, options);
    } finally {
      await archive.close();
    }
  } finally {
    await neighbours.close();
    await newspaper.close();
  }
  return { captures, proofs, ...(watch && { watch }) };
}

/** The decisions a person would make about such a site. */
async function decideOf(archive: OpenArchive, { paper: origin, shop }: NeighbourOrigins): Promise<void> {
  const book = await archive.decisions();
  const by = 'the demonstration';
  await book.add({
    targets: [`${origin}/`],
    act: { kind: 'pin' },
    by,
    why: 'no version of the front page may go',
  });
  await book.add({
    targets: [`${origin}/`],
    act: { kind: 'every', span: 6 * HOUR },
    by,
    why: 'it leads to everything new',
  });
  await book.add({
    targets: [`${shop}/offers.html`],
    act: { kind: 'out' },
    by,
    why: 'nothing but prices, and new ones every week',
  });
}

async function provenTown(
  archive: OpenArchive,
  origins: NeighbourOrigins,
  clock: FastClock,
  options: DemoOptions,
  signal: AbortSignal,
): Promise<readonly DemoProof[]> {
  const { proveTown } = await import('../demo-town.ts');
  const proofs = await proveTown(archive, origins, { clock, render: options.render }, signal);
  for (const { phrase, claim, at, answers } of proofs)
    say(
      options,
      `That '${phrase}' ${claim === 'present' ? 'stood' : 'did not stand'} on the town hall's pages at ${new Date(at).toISOString()}: ` +
        `proven of ${answers.proven}, contradicted by ${answers.contradicted}, unknown of ${answers.unknown}`,
    );
  return proofs;
}

async function watched(
  archive: OpenArchive,
  { origin }: NewspaperServer,
  clock: FastClock,
  options: DemoOptions,
  signal: AbortSignal,
): Promise<WatchStatus> {
  const { watchNewspaper } = await import('../demo-watch.ts');
  const { days, render } = options;
  say(options, `Now it is watched for ${days} days of its time, a few visits every six hours:`);
  const tell = (sentence: string): void => say(options, sentence);
  return watchNewspaper(archive, { origin, clock, days, render, say: tell }, signal);
}

async function captureOnce(
  archive: OpenArchive,
  { origins, clock, number }: { origins: NeighbourOrigins; clock: FastClock; number: number },
  options: DemoOptions,
  signal: AbortSignal,
): Promise<CrawlReport> {
  const { townSettings } = await import('../demo-town.ts');
  const settings = CRAWL_SETTINGS.parse({
    ...townSettings(origins),
    collection: 'newspaper',
    render: options.render,
    allowPrivate: true,
    delay: '1s',
    perHost: 2,
    // The rates of all pages are unknown before the first capture.
    ...(number > 1 && { revisit: 'sharp' }),
  });
  const line = progressLine(process.stderr, Date.now);
  const report = await runCrawl(archive, {
    spec: crawlSpec(settings),
    clock,
    signal,
    restart: true,
    syncEvery: 60_000,
    onProgress: (progress) => line.show(progress),
  });
  line.end();
  const day = new Date(report.startedAt).toUTCString().slice(0, 22);
  say(
    options,
    `Capture ${number}, ${day}: ${report.new} pages new, ${report.changed} changed, ${report.unchanged} unchanged, ` +
      `${report.redirects} redirects, ${report.gone} gone, ${report.failed} failed, ${formatSize(report.bytes)} received`,
  );
  return report;
}

/** What the archive holds, compared with what there was to hold: the newspaper knows its own truth. */
async function summarise(
  archive: OpenArchive,
  newspaper: NewspaperServer,
  clock: FastClock,
  options: DemoOptions,
): Promise<void> {
  const { host } = new URL(newspaper.origin);
  const site = (await archive.catalog.sites()).find((one) => one.site === host);
  const held = site?.pageCaptures ?? 0;
  const { openTruth } = await newspaperRoom();
  const versions = openTruth(newspaper.world).changes(START, clock.now()).length;
  const files = await archive.catalog.warcFiles();
  const bytes = files.reduce((sum, { length }) => sum + length, 0);
  say(
    options,
    `The archive holds ${held} captures of ${site?.pages ?? 0} pages, with ${(site?.captures ?? 0) - held} parts, in ${files.length} WARC files ` +
      `(${formatSize(bytes)}). Meanwhile the newspaper published ${versions} new versions.`,
  );
  const pages = await liveliest(archive, host);
  if (pages.length === 0) return;
  say(options, 'What these visits taught of its liveliest pages (daguerre patterns tells more):');
  for (const page of pages) say(options, patternLine(page));
}

/** By changes a day; feeds and sitemaps change with every story, and nobody would look for them first. */
async function liveliest({ catalog }: OpenArchive, site: string): Promise<readonly PatternView[]> {
  const shown = new Set<string>();
  for await (const { url, mime } of catalog.pageHistories(site))
    if (/^(?:text\/html|application\/xhtml\+xml)\b/i.test(mime)) shown.add(url);
  const { pages } = await listPatterns(catalog, { site });
  return pages
    .filter(({ url }) => shown.has(url))
    .sort((a, b) => b.changesPerDay - a.changesPerDay)
    .slice(0, PATTERNS_SHOWN);
}

async function serve(root: string, options: DemoOptions, signal: AbortSignal): Promise<void> {
  const { serveArchive } = await import('../../server/serve-archive.ts');
  const { watchFile } = await import('../demo-watch.ts');
  const { port, replayPort, days } = options;
  const settings = { ...NO_ACCESS, ...(days > 0 && { watch: watchFile(root) }) };
  const server = await serveArchive({ archive: root }, { port, replayPort, settings });
  if (server.notice !== undefined) process.stderr.write(`${server.notice}\n`);
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ url: server.url, replayUrl: server.replayUrl, collection: server.collection })}\n`
      : `\nLook at it: ${server.url}  (Ctrl-C stops)\n`,
  );
  await interrupted(signal);
  await server.close();
}

function say({ json }: DemoOptions, text: string): void {
  (json ? process.stderr : process.stdout).write(`${text}\n`);
}
