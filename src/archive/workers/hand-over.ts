import { randomUUID } from 'node:crypto';
import { openJobQueue } from '../../catalog/jobs/graphile-queue.ts';
import { archiveText } from '../../model/archive-identity.ts';
import type { CrawlSpec, CrawlTally } from '../../model/crawl.ts';
import type { HandedCrawl, HandedState } from '../../model/worker.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { closeAll } from '../crawl/equipment.ts';
import type { FindOptions } from '../crawl/find-crawl.ts';
import type { ArchiveLocation } from '../open/open-archive.ts';
import { openForSharing, type SharedArchive } from '../open/open-shared.ts';
import { systemClock } from '../system-clock.ts';
import { Attendance } from './attendance.ts';
import { crawlToHandOver } from './crawl-to-hand-over.ts';
import { queueOfSite } from './left-analyses.ts';
import { splitBySite } from './split-seeds.ts';

export interface HandOverOptions extends FindOptions {
  readonly spec: CrawlSpec;
  /** Do not wait for the end. */
  readonly detach: boolean;
  /** See attendance.ts. */
  readonly silence: number;
  /** Fires when the caller no longer wants the result. */
  readonly signal: AbortSignal;
  readonly onNote: (note: string) => void;
  readonly onProgress: (progress: BatchProgress) => void;
}

export interface BatchProgress {
  readonly crawls: number;
  /** Crawls that finished or failed. */
  readonly done: number;
  readonly settled: number;
  readonly waiting: number;
  readonly bytes: number;
  /** Workers that have joined the archive and can capture. */
  readonly workers: number;
}

export interface BatchCrawl {
  readonly crawl: number;
  readonly site: string;
  readonly seeds: readonly string[];
  readonly state: HandedState;
  /** Pages and resources. */
  readonly settled: number;
  readonly waiting: number;
  readonly error?: string;
}

/** What became of crawls that were handed over; see docs/json.md. */
export interface BatchReport
  extends Pick<CrawlTally, 'captured' | 'unchanged' | 'failed' | 'skipped' | 'pending' | 'bytes'> {
  readonly batch: string;
  /** `handed-over`: workers continue with it. `withdrawn`: the same command resumes it. */
  readonly state: 'finished' | 'handed-over' | 'withdrawn';
  readonly crawls: readonly BatchCrawl[];
}

/** Interval between two checks of progress, in milliseconds. */
const LOOK_EVERY = 1_000;

interface Handed {
  readonly crawlId: number;
  readonly site: string;
  readonly spec: CrawlSpec;
}

/** Leaves crawls to workers, one for each site, and follows them until they are done. */
export async function handOver(location: ArchiveLocation, options: HandOverOptions): Promise<BatchReport> {
  const { signal, onNote, silence } = options;
  const archive = await openForSharing(location, 'archive --hand-over', {
    roles: [],
    silence,
    signal,
    onWait: onNote,
  });
  const closing = [() => archive.close()];
  try {
    for (const sentence of archive.mended) onNote(sentence);
    const { catalog, workerId, identity } = archive;
    if (identity) onNote(`Handing over to the workers of archive ${archiveText(identity)}.`);
    const queue = await openJobQueue(location.database as string, {
      archiveId: identity?.id ?? '',
      connections: 1,
      patience: { wait: location.databaseWait ?? 0, signal, tell: onNote },
    });
    closing.unshift(() => queue.close());
    const lost = new AbortController();
    const attendance = new Attendance({
      ...{ catalog, queue, workerId, silence },
      sign: () => ({ doing: ['hands crawls over'], settled: 0, rate: 0 }),
      now: () => performance.now(),
      onEnd: (error) => lost.abort(error),
    });
    await attendance.begin();
    closing.unshift(() => attendance.end());
    const batch = randomUUID();
    const handed = await hand(archive, queue, batch, options);
    const state = await follow(archive, handed, options, lost.signal);
    return await reportOf(archive, handed, { batch, state });
  } finally {
    await closeAll(closing);
  }
}

async function hand(
  archive: SharedArchive,
  queue: Pick<JobQueue, 'add'>,
  batch: string,
  { spec, onNote, ...find }: HandOverOptions,
): Promise<readonly Handed[]> {
  const { catalog } = archive;
  const { siteOf } = catalog.siteBounds();
  const handed: Handed[] = [];
  for (const share of splitBySite(spec, siteOf)) {
    const { notes, ...own } = await crawlToHandOver(archive, share.spec, find);
    for (const note of notes) onNote(note);
    handed.push({ ...own, site: share.site });
  }
  const jobs = handed.map(({ crawlId, site }) => ({ crawlId, batch, queue: queueOfSite(site) }));
  await catalog.handOver(jobs);
  await queue.add(jobs);
  return handed;
}

/** Until all are done, or the caller no longer wants the result. */
async function follow(
  { catalog }: SharedArchive,
  handed: readonly Handed[],
  { detach, signal, onNote, onProgress }: HandOverOptions,
  lost: AbortSignal,
): Promise<BatchReport['state']> {
  const ids = handed.map(({ crawlId }) => crawlId);
  let told: string | undefined;
  let wasHere = false;
  const leaving = AbortSignal.any([signal, lost]);
  for (;;) {
    lost.throwIfAborted();
    const now = await catalog.handedCrawls({ crawlIds: ids });
    const all = await catalog.workers();
    const workers = all.filter(({ roles }) => roles.includes('capture')).length;
    const progress = progressOf(now, workers);
    onProgress(progress);
    if (progress.done === ids.length) return 'finished';
    if (signal.aborted) {
      for (const crawlId of ids)
        await catalog.changeHanded(crawlId, { state: 'withdrawn' }, { states: ['waiting', 'running'] });
      return 'withdrawn';
    }
    wasHere ||= workers > 0;
    // Those that hand over, or watch, have none.
    const nobody = all.some(({ roles }) => roles.length > 0) ? `${NO_WORKER} that captures` : NO_WORKER;
    const note = workers > 0 ? undefined : nobodyNote(nobody, now, wasHere);
    if (note !== undefined && note !== told) onNote(note);
    told = note;
    if (detach) return 'handed-over';
    await systemClock.sleep(LOOK_EVERY, leaving);
  }
}

/** How notes begin that nobody does the crawls: the caller knows how to start a worker. */
export const NO_WORKER = 'no worker';

/** What is wrong with a crawl that waits is what its last worker left with. */
function nobodyNote(nobody: string, crawls: readonly HandedCrawl[], wasHere: boolean): string {
  const waiting = crawls.filter(({ state }) => state === 'waiting' || state === 'running');
  const error = waiting.findLast((crawl) => crawl.error !== undefined)?.error;
  if (error !== undefined) return `${nobody} is here any more, and the last one left: ${error}`;
  const isBegun = wasHere || waiting.some(({ pieces }) => pieces > 0);
  return isBegun ? `${nobody} is here any more` : `${nobody} has joined yet`;
}

function progressOf(crawls: readonly HandedCrawl[], workers: number): BatchProgress {
  const sum = (of: (crawl: HandedCrawl) => number): number =>
    crawls.reduce((total, one) => total + of(one), 0);
  return {
    crawls: crawls.length,
    done: sum(({ state }) => (state === 'finished' || state === 'failed' ? 1 : 0)),
    settled: sum(({ settled }) => settled),
    waiting: sum(({ waiting }) => waiting),
    bytes: sum(({ bytes }) => bytes),
    workers,
  };
}

async function reportOf(
  { catalog }: SharedArchive,
  handed: readonly Handed[],
  { batch, state }: Pick<BatchReport, 'batch' | 'state'>,
): Promise<BatchReport> {
  const standing = new Map(
    (await catalog.handedCrawls({ crawlIds: handed.map(({ crawlId }) => crawlId) })).map((one) => [
      one.crawlId,
      one,
    ]),
  );
  const sums = { captured: 0, unchanged: 0, failed: 0, skipped: 0, pending: 0, bytes: 0 };
  const crawls: BatchCrawl[] = [];
  for (const { crawlId, site, spec } of handed) {
    const tally = await catalog.tally(crawlId);
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += tally[key];
    const { state: now = 'waiting', settled = 0, waiting = 0, error } = standing.get(crawlId) ?? {};
    crawls.push({
      ...{ crawl: crawlId, site, seeds: spec.seeds, state: now, settled, waiting },
      ...(error !== undefined && { error }),
    });
  }
  return { batch, state, ...sums, crawls };
}
