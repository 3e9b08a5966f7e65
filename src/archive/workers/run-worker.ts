import { openJobQueue } from '../../catalog/jobs/graphile-queue.ts';
import { Courtesy } from '../../loop/courtesy.ts';
import type { WorkerFact } from '../../model/worker.ts';
import type { JobTaker } from '../../ports/job-queue.ts';
import { closeAll } from '../crawl/equipment.ts';
import type { ArchiveLocation } from '../open/open-archive.ts';
import { openForSharing, type SharedArchive } from '../open/open-shared.ts';
import { systemClock } from '../system-clock.ts';
import { Attendance } from './attendance.ts';
import { LeasedHosts } from './leased-hosts.ts';
import { type PieceLimits, runPiece } from './run-piece.ts';
import { WorkRate } from './work-rate.ts';

export interface WorkerOptions {
  /** Pieces of crawls at once. */
  readonly concurrency: number;
  /** See attendance.ts. */
  readonly silence: number;
  readonly piece: PieceLimits;
  readonly syncEvery: number;
  /** Fires when it is to leave. */
  readonly signal: AbortSignal;
  readonly onJoin: (archive: SharedArchive) => void;
  /** Sentences for whoever looks at it. */
  readonly onNote: (note: string) => void;
}

export interface WorkerReport {
  readonly worker: number;
  readonly pieces: number;
  readonly settled: number;
}

/**
 * Milliseconds after which a worker that failed leaves whatever it waits for: others go on with its work and have cut its
 * connections, and nothing that it still has can be committed.
 */
const LAST_RESORT = 25_000;

/** Joins an archive and does what is handed over, until it is told to leave. */
export async function runWorker(location: ArchiveLocation, options: WorkerOptions): Promise<WorkerReport> {
  const { signal, onNote } = options;
  const archive = await openForSharing(location, 'worker', { roles: ['capture'], signal, onWait: onNote });
  const closing = [() => archive.close()];
  try {
    return await work(archive, location.database as string, options, closing);
  } finally {
    await closeAll(closing);
  }
}

async function work(
  archive: SharedArchive,
  database: string,
  options: WorkerOptions,
  closing: (() => Promise<void>)[],
): Promise<WorkerReport> {
  const { catalog, workerId, identity } = archive;
  const { concurrency, silence, onNote } = options;
  const leaving = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    if (!failure)
      setTimeout(() => {
        throw error;
      }, LAST_RESORT).unref();
    failure ??= { error };
    leaving.abort();
  };
  const leave = (): void => leaving.abort();
  options.signal.addEventListener('abort', leave);
  closing.unshift(async () => options.signal.removeEventListener('abort', leave));
  if (options.signal.aborted) leave();

  const queue = await openJobQueue(database, { archiveId: identity?.id ?? '', connections: concurrency });
  closing.unshift(() => queue.close());
  const doing = new Map<number, string>();
  const rate = new WorkRate(() => performance.now());
  let pieces = 0;
  let taker: JobTaker | undefined;
  const attendance = new Attendance({
    ...{ catalog, queue, workerId, silence },
    sign: () => ({
      doing: [...doing.values()],
      settled: rate.count,
      rate: rate.perSecond(),
      ...(taker && { pool: taker.pool }),
    }),
    now: () => performance.now(),
    onEnd: fail,
    onDismiss: (worker) => onNote(dismissedNote(worker, silence)),
  });
  await attendance.begin();
  closing.unshift(() => attendance.end());
  const courtesy = new Courtesy();
  const hosts = new LeasedHosts({
    ...{ catalog, workerId, courtesy, clock: systemClock },
    isConfirmed: () => attendance.isConfirmed,
    onFailure: fail,
  });
  closing.unshift(() => hosts.close());
  options.onJoin(archive);
  taker = await queue.take({
    concurrency,
    work: (crawlId) =>
      runPiece(crawlId, {
        ...{ archive, queue, hosts, courtesy, clock: systemClock, onNote },
        limits: options.piece,
        syncEvery: options.syncEvery,
        signal: leaving.signal,
        onDoing: (id, what) => void (what === undefined ? doing.delete(id) : doing.set(id, what)),
        onVisit: () => rate.add(),
      })
        .then(() => void pieces++)
        .catch((error: unknown) => {
          fail(error);
          throw error;
        }),
  });
  const { stop } = taker;
  closing.unshift(stop);
  await new Promise<void>((resolve) => {
    if (leaving.signal.aborted) resolve();
    else leaving.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await closing.shift()?.();
  if (failure) throw failure.error;
  return { worker: workerId, pieces, settled: rate.count };
}

const dismissedNote = ({ id, machine, process }: WorkerFact, silence: number): string =>
  `worker ${id} (${machine}, process ${process}) has given no sign of life for ${silence / 1000} s: others go on with its work`;
