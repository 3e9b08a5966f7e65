import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { RENDER_MODES, SCOPE_TYPES } from '../../model/crawl.ts';
import { REVISIT_MODES } from '../../model/site-capture.ts';
import type { ResultCatalog, WorkerCatalog } from '../../ports/catalog.ts';
import { crawlToResume } from '../crawl/resumed-crawl.ts';
import { webAddress } from '../given/web-address.ts';
import { type ArchiveLocation, archiveFolder } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { commandFailure, type EndedCommand, type OwnCommands } from './own-commands.ts';

/**
 * What may be requested of a crawl through a server. Private addresses, proxies, headers, commands and anything else
 * that reaches beyond the web can only be set in the configuration file.
 */
export const WANTED_CRAWL = z.strictObject({
  urls: z
    .array(z.string().min(1).max(4000))
    .min(1, 'name at least one address')
    .max(100, 'at most 100 addresses')
    .readonly()
    .describe('where to begin'),
  scopeType: z.enum(SCOPE_TYPES).optional(),
  depth: z.int().min(0).optional().describe('links to follow away from a seed'),
  pageLimit: z.int().min(1).optional(),
  timeLimit: z.int().min(1000).optional().describe('milliseconds'),
  render: z.enum(RENDER_MODES).optional(),
  revisit: z.enum(REVISIT_MODES).optional(),
});
export type WantedCrawl = z.output<typeof WANTED_CRAWL>;

export interface StartedCrawl {
  readonly process: number;
  /** Undefined where it has not begun in time. */
  readonly crawl: number | undefined;
}

interface Starting {
  readonly location: ArchiveLocation;
  readonly commands: OwnCommands;
  readonly catalog: () => Promise<Pick<ResultCatalog, 'crawls'> & Pick<WorkerCatalog, 'workers'>>;
  /** Configuration file of new crawls. */
  readonly config?: string | undefined;
}

/**
 * How long the answer waits for the crawl to begin, and how often it checks, in milliseconds: what stands between may give up after a
 * minute.
 */
const PATIENCE = 50_000;
const LOOK_EVERY = 200;
/** How long a stopped crawl may still hold the archive, in milliseconds: it writes its log and its index. */
const ENDING = 10_000;
/** What a command says whose database user may only read. */
const MAY_NOT = /this user of the database may not do that|the server takes no writes/;
const READ_ONLY =
  'the database user of this server may only read the catalog: begin crawls on a machine whose --database names a user that may write';
/** Exit code of a command that found another one writing. */
const LOCKED = 5;
/** Of commands that have made, or gone on with, a crawl. */
const ENDED_WELL: ReadonlySet<number> = new Set([0, 3, 8, 130]);

/**
 * Begins or resumes a crawl in a process of its own, as the same command would; where workers share the archive, they
 * do it.
 */
export async function startCrawl(wanted: WantedCrawl, starting: Starting): Promise<StartedCrawl> {
  for (const url of wanted.urls)
    if (!webAddress(url))
      throw new UserError(
        `'${url}' is no address of a page; write e.g. https://example.org/`,
        'usage',
        'look at its spelling: a name with its ending (example.org), or all of it from http:// on',
      );
  const { config } = starting;
  const workers = await (await starting.catalog()).workers();
  const isHanded = workers.some(({ roles }) => roles.includes('capture'));
  const settings = [
    ...(config === undefined ? [] : ['--config', config]),
    ...(isHanded ? ['--hand-over', '--detach'] : []),
    ...flagsOf(wanted),
  ];
  return startSoon({ command: 'archive', flags: settings, operands: wanted.urls }, starting);
}

/** Resumes a crawl under the settings it was begun with. */
export async function resumeCrawl(id: number, starting: Starting): Promise<StartedCrawl> {
  await crawlToResume(await starting.catalog(), id);
  return startSoon({ command: 'resume', flags: [], operands: [String(id)] }, starting);
}

interface CrawlCommand {
  readonly command: 'archive' | 'resume';
  readonly flags: readonly string[];
  readonly operands: readonly string[];
}

async function startSoon(wanted: CrawlCommand, starting: Starting): Promise<StartedCrawl> {
  for (const until = systemClock.now() + ENDING; ; ) {
    try {
      return await tryToStart(wanted, starting);
    } catch (error) {
      if (!(error instanceof UserError) || error.kind !== 'conflict' || systemClock.now() >= until)
        throw error;
      // A crawl that is seen as stopped may be resumed although its process has not ended yet.
      const crawls = await (await starting.catalog()).crawls();
      if (crawls.some(({ state }) => state === 'running')) throw error;
      await sleep(LOOK_EVERY);
    }
  }
}

async function tryToStart(wanted: CrawlCommand, starting: Starting): Promise<StartedCrawl> {
  const { location, commands, catalog } = starting;
  const before = new Map((await (await catalog()).crawls()).map((crawl) => [crawl.id, crawl.state]));
  const command = commands.start([
    wanted.command,
    ...['--archive', archiveFolder(location.archive).root],
    ...(location.database === undefined ? [] : ['--database', location.database]),
    ...(location.storage === undefined ? [] : ['--storage', location.storage]),
    ...wanted.flags,
    '--json',
    '--',
    ...wanted.operands,
  ]);
  let ended: EndedCommand | undefined;
  const over = command.ended.then(
    (one) => {
      ended = one;
    },
    (error: unknown) => {
      ended = { code: -1, stdout: '', stderr: String(error) };
    },
  );
  for (const until = systemClock.now() + PATIENCE; systemClock.now() < until; ) {
    // Asked before the catalog: what has ended by then has written all that it would.
    const last = ended;
    // A crawl that had little left may have finished between two checks.
    const begun = (await (await catalog()).crawls()).find(
      ({ id, state }) =>
        before.get(id) === undefined || (before.get(id) === 'stopped' && state !== 'stopped'),
    );
    if (begun) return { process: command.process, crawl: begun.id };
    if (last) return { process: command.process, crawl: crawlOf(last) };
    await Promise.race([over, sleep(LOOK_EVERY)]);
  }
  return { process: command.process, crawl: undefined };
}

const REPORT = z.object({ crawl: z.int() });

/** The crawl of a process that has ended, by its report; a failure in its own last words. */
function crawlOf(ended: EndedCommand): number | undefined {
  const { code, stdout, stderr } = ended;
  if (code === LOCKED)
    throw new UserError('another crawl, or a watch, writes to the archive now', 'conflict');
  if (MAY_NOT.test(stderr)) throw new UserError(READ_ONLY, 'forbidden');
  if (!ENDED_WELL.has(code)) throw commandFailure(ended);
  try {
    return REPORT.parse(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).crawl;
  } catch {
    return undefined;
  }
}

const flagsOf = ({ scopeType, depth, pageLimit, timeLimit, render, revisit }: WantedCrawl): string[] =>
  Object.entries({
    '--scope-type': scopeType,
    '--depth': depth,
    '--page-limit': pageLimit,
    '--time-limit': timeLimit === undefined ? undefined : `${timeLimit}ms`,
    '--render': render,
    '--revisit': revisit,
  }).flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)]));
