import { randomUUID } from 'node:crypto';
import { createScope } from '../../capture/scope.ts';
import { openJobQueue } from '../../catalog/jobs/graphile-queue.ts';
import type { CrawlSpec, CrawlTally } from '../../model/crawl.ts';
import type { HandedCrawl, HandedState } from '../../model/worker.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { adFilters } from '../crawl/ad-filters.ts';
import { closeAll } from '../crawl/equipment.ts';
import { crawlKey, type FindOptions, findCrawl, inTheOrderItBegan } from '../crawl/find-crawl.ts';
import { mayJoin } from '../crawl/own-site.ts';
import type { ArchiveLocation } from '../open/open-archive.ts';
import { openForSharing, type SharedArchive } from '../open/open-shared.ts';
import { systemClock } from '../system-clock.ts';
import { Attendance } from './attendance.ts';
import { splitBySite } from './split-seeds.ts';

export interface HandOverOptions extends FindOptions {
  readonly spec: CrawlSpec;
  /** Do not wait for the end. */
  readonly detach: boolean;
  /** See attendance.ts. */
  readonly silence: number;
  /** Fires when whoever asked for it wants no more of it. */
  readonly signal: AbortSignal;
  readonly onNote: (note: string) => void;
  readonly onProgress: (progress: BatchProgress) => void;
}

export interface BatchProgress {
  readonly crawls: number;
  /** Finished or failed. */
  readonly done: number;
  readonly settled: number;
  readonly waiting: number;
  readonly bytes: number;
  /** That have joined the archive and capture. */
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
  /** `handed-over`: workers go on with it. `withdrawn`: the same command goes on with it. */
  readonly state: 'finished' | 'handed-over' | 'withdrawn';
  readonly crawls: readonly BatchCrawl[];
}

/** Milliseconds between two looks at how far it is. */
const LOOK_EVERY = 1_000;

interface Handed {
  readonly crawlId: number;
  readonly site: string;
  readonly spec: CrawlSpec;
}

/** Leaves crawls to workers, one for each site, and looks on until they are done. */
export async function handOver(location: ArchiveLocation, options: HandOverOptions): Promise<BatchReport> {
  const { signal, onNote, silence } = options;
  const archive = await openForSharing(location, 'archive --hand-over', {
    roles: [],
    signal,
    onWait: onNote,
  });
  const closing = [() => archive.close()];
  try {
    for (const sentence of archive.mended) onNote(sentence);
    const { catalog, workerId, identity } = archive;
    const queue = await openJobQueue(location.database as string, {
      archiveId: identity?.id ?? '',
      connections: 1,
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
  const bounds = catalog.siteBounds();
  const book = await archive.decisions();
  const handed: Handed[] = [];
  for (const share of splitBySite(spec, bounds.siteOf)) {
    const own = find.restart ? share.spec : await inTheOrderItBegan(catalog, share.spec);
    if (find.restart) await giveUpBegun(archive, own);
    const scope = createScope(own, book.held, mayJoin(own, bounds), adFilters(own));
    const { crawl, resumed, notes } = await findCrawl(catalog, own, systemClock, scope, find);
    // Workers read it from the catalog, and limits and pace may be others now.
    if (resumed) await catalog.changeCrawl(crawl.id, crawlKey(own), own);
    if (resumed) onNote(`Resuming crawl ${crawl.id}, begun ${new Date(crawl.startedAt).toISOString()}.`);
    for (const note of notes) onNote(note);
    handed.push({ crawlId: crawl.id, site: share.site, spec: own });
  }
  const jobs = handed.map(({ crawlId, site }) => ({ crawlId, batch, queue: `site:${site}` }));
  await catalog.handOver(jobs);
  await queue.add(jobs);
  return handed;
}

/** A worker may be at the crawl that is begun anew. */
async function giveUpBegun({ catalog }: SharedArchive, spec: CrawlSpec): Promise<void> {
  const begun = await catalog.unfinishedCrawl(crawlKey(spec));
  if (begun) await catalog.changeHanded(begun.id, { state: 'withdrawn' }, { states: ['waiting', 'running'] });
}

/** Until all are done, or whoever looks on wants no more of it. */
async function follow(
  { catalog }: SharedArchive,
  handed: readonly Handed[],
  { detach, signal, onNote, onProgress }: HandOverOptions,
  lost: AbortSignal,
): Promise<BatchReport['state']> {
  const ids = new Set(handed.map(({ crawlId }) => crawlId));
  let isTold = false;
  const leaving = AbortSignal.any([signal, lost]);
  for (;;) {
    lost.throwIfAborted();
    const now = (await catalog.handedCrawls()).filter(({ crawlId }) => ids.has(crawlId));
    const workers = (await catalog.workers()).filter(({ roles }) => roles.includes('capture')).length;
    const progress = progressOf(now, workers);
    onProgress(progress);
    if (progress.done === ids.size) return 'finished';
    if (signal.aborted) {
      for (const crawlId of ids)
        await catalog.changeHanded(crawlId, { state: 'withdrawn' }, { states: ['waiting', 'running'] });
      return 'withdrawn';
    }
    if (workers === 0 && !isTold) onNote(NO_WORKER);
    isTold = workers === 0;
    if (detach) return 'handed-over';
    await systemClock.sleep(LOOK_EVERY, leaving);
  }
}

/** The caller knows how to start one. */
export const NO_WORKER = 'no worker has joined yet';

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
  const standing = new Map((await catalog.handedCrawls()).map((one) => [one.crawlId, one]));
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
