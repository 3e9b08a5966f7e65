import { openJobQueue } from '../../catalog/jobs/graphile-queue.ts';
import { Courtesy } from '../../loop/courtesy.ts';
import type { WorkerFact, WorkerRole } from '../../model/worker.ts';
import type { JobTaker } from '../../ports/job-queue.ts';
import { closeAll } from '../crawl/equipment.ts';
import type { ArchiveLocation } from '../open/open-archive.ts';
import { openForSharing, type SharedArchive } from '../open/open-shared.ts';
import { systemClock } from '../system-clock.ts';
import { Attendance } from './attendance.ts';
import { LeasedHosts } from './leased-hosts.ts';
import { type PieceLimits, runPiece } from './run-piece.ts';
import { takeOthers } from './take-others.ts';
import { WorkRate } from './work-rate.ts';

export interface WorkerOptions {
  /** Which kinds of work it takes. */
  readonly roles: readonly WorkerRole[];
  /** Pieces of crawls at a time. */
  readonly concurrency: number;
  /** See attendance.ts. */
  readonly silence: number;
  readonly piece: PieceLimits;
  readonly syncEvery: number;
  /** Fires when it is to leave. */
  readonly signal: AbortSignal;
  readonly onJoin: (archive: SharedArchive) => void;
  /** Receives sentences for people who are watching. */
  readonly onNote: (note: string) => void;
}

export interface WorkerReport {
  readonly worker: number;
  readonly pieces: number;
  readonly settled: number;
  /** Versions whose layout, and delta, it found. */
  readonly analysed: number;
}

/**
 * How long until a worker that failed abandons whatever it is waiting for, in milliseconds: others have taken over its
 * work and cut its connections, and nothing it still has can be committed.
 */
const LAST_RESORT = 25_000;

/** Joins an archive and does what is handed over, until it is told to leave. */
export async function runWorker(location: ArchiveLocation, options: WorkerOptions): Promise<WorkerReport> {
  const { signal, onNote } = options;
  const archive = await openForSharing(location, 'worker', {
    ...{ roles: options.roles, silence: options.silence, signal, onWait: onNote },
  });
  const closing = [() => archive.close()];
  try {
    return await work(archive, location, options, closing);
  } finally {
    await closeAll(closing);
  }
}

async function work(
  archive: SharedArchive,
  location: ArchiveLocation,
  options: WorkerOptions,
  closing: (() => Promise<void>)[],
): Promise<WorkerReport> {
  const { catalog, workerId, identity } = archive;
  const { roles, concurrency, silence, onNote } = options;
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

  const queue = await openJobQueue(location.database as string, {
    archiveId: identity?.id ?? '',
    connections: concurrency,
    patience: { wait: location.databaseWait ?? 0, signal: options.signal, tell: onNote },
  });
  closing.unshift(() => queue.close());
  const doing = new Map<number | string, string>();
  const onDoing = (id: number | string, what: string | undefined): void =>
    void (what === undefined ? doing.delete(id) : doing.set(id, what));
  const rate = new WorkRate(() => performance.now());
  let pieces = 0;
  let analysed = 0;
  const takers: JobTaker[] = [];
  const attendance = new Attendance({
    ...{ catalog, queue, workerId, silence },
    sign: () => ({
      doing: [...doing.values()],
      settled: rate.count,
      rate: rate.perSecond(),
      pools: takers.map(({ pool }) => pool),
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
  // Registered before any is begun: a failure in between ends them too.
  closing.unshift(async () => void (await Promise.all(takers.map(({ stop }) => stop()))));
  const failing = (error: unknown): never => {
    fail(error);
    throw error;
  };
  if (roles.includes('capture'))
    takers.push(
      await queue.take({
        concurrency,
        work: (crawlId) =>
          runPiece(crawlId, {
            ...{ archive, queue, hosts, courtesy, clock: systemClock, onNote, onDoing },
            limits: options.piece,
            syncEvery: options.syncEvery,
            signal: leaving.signal,
            onVisit: () => rate.add(),
          })
            .then(() => void pieces++)
            .catch(failing),
      }),
    );
  const others = { archive, queue, location, clock: systemClock, signal: leaving.signal, onDoing, onNote };
  takers.push(...(await takeOthers(roles, { ...others, onVersion: () => void analysed++, onEnd: fail })));
  await new Promise<void>((resolve) => {
    if (leaving.signal.aborted) resolve();
    else leaving.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await closing.shift()?.();
  if (failure) throw failure.error;
  return { worker: workerId, pieces, settled: rate.count, analysed };
}

const dismissedNote = ({ id, machine, process }: WorkerFact, silence: number): string =>
  `worker ${id} (${machine}, process ${process}) has given no sign of life for ${silence / 1000} s: others go on with its work`;
