import { CatalogFault } from '../../catalog/faults.ts';
import { isPostgres } from '../../catalog/open.ts';
import type { WorkerFact } from '../../model/worker.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { closeAll } from '../crawl/equipment.ts';
import {
  type ArchiveLocation,
  type OpenArchive,
  once,
  openForReading,
  openForWriting,
} from '../open/open-archive.ts';
import { isForeseen, openForSharing, type SharedArchive } from '../open/open-shared.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { AFTER_DEATH, Attendance, BEATS_PER_SILENCE } from '../workers/attendance.ts';

export interface TickOptions {
  /** See attendance.ts. */
  readonly silence: number;
  /** Whether workers make its crawls. */
  readonly handsOver?: boolean;
  /** Fires when it is no longer wanted. */
  readonly signal: AbortSignal;
  /** Receives sentences for people who are watching. */
  readonly tell: (sentence: string) => void;
}

/** The role of a watch among the processes that share its archive. */
export interface WatchSharing {
  readonly workerId: number;
  /** False once another may have taken over: then nothing is requested, and nobody is told anything. */
  isConfirmed(): boolean;
  onFailure(error: unknown): void;
  /** Present where workers make the crawls of the watch. */
  readonly queue?: JobQueue;
}

/** An archive that only this process watches. */
export interface WatchedArchive {
  readonly archive: OpenArchive;
  /** Absent where the catalog belongs to one process anyway. */
  readonly sharing?: WatchSharing;
  /** Fires, with the reason, when another process takes over. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

/**
 * How long until a watch that was replaced abandons whatever it is waiting for, in milliseconds: nothing it still has
 * can be committed.
 */
const LAST_RESORT = 25_000;

/**
 * Opens an archive to watch it. With its catalog in PostgreSQL any number of processes, on any machines, may ask for
 * that: one has the tick, the others wait here until it leaves, dies or hangs.
 *
 *   standing by ──nobody has the tick──▶ joining ──the tick is ours──▶ watching
 *        ▲  └──its holder is silent──▶ joining, dismissing it ─┘ │
 *        └────────────────another was faster─────────────────────┘
 *
 * A process that stands by only reads: as always, an archive whose watch was killed is brought in line by the next
 * process that opens it. Undefined where the signal fired before there was anything to do.
 */
export async function openWatched(
  location: ArchiveLocation,
  options: TickOptions,
): Promise<WatchedArchive | undefined> {
  const { signal, tell: onWait } = options;
  const { database } = location;
  if (database === undefined || !isPostgres(database)) {
    if (options.handsOver)
      throw new UserError(
        '--hand-over: several processes share a catalog in PostgreSQL alone: give --database postgres://user@host/database',
      );
    const archive = await openForWriting(location, 'watch', { signal, onWait });
    return { archive, lost: new AbortController().signal, close: () => archive.close() };
  }
  for (let silent: WorkerFact | undefined, isFirst = true; ; isFirst = false) {
    const archive = await joined(location, options, isFirst);
    if (signal.aborted) {
      await archive?.close();
      return undefined;
    }
    if (archive && (await taken(archive, silent))) {
      if (!isFirst)
        onWait(`Worker ${archive.workerId}, which stood by, has taken over: it watches the archive now.`);
      return await attended(archive, { ...location, database }, options);
    }
    await archive?.close();
    silent = await standBy(location, options);
  }
}

/** Undefined where somebody has the archive alone, perhaps for long: then the caller retries. The first attempt throws instead. */
async function joined(
  location: ArchiveLocation,
  { silence, signal, tell: onWait }: TickOptions,
  isFirst: boolean,
): Promise<SharedArchive | undefined> {
  try {
    return await openForSharing(location, 'watch', { roles: [], silence, signal, onWait });
  } catch (error) {
    if (isFirst || !isForeseen(error)) throw error;
    await systemClock.sleep(ALONE_PAUSE, signal);
    return undefined;
  }
}

const ALONE_PAUSE = 5_000;

/** A holder that was silent while we waited, and still is, no longer holds anything. */
async function taken({ catalog, workerId }: SharedArchive, silent: WorkerFact | undefined): Promise<boolean> {
  const holder = silent && (await catalog.tickHolder());
  if (holder?.id === silent?.id && holder && holder.beats === silent?.beats)
    await catalog.dismissWorkers([holder.id], AFTER_DEATH);
  return catalog.takeTick(workerId);
}

/** Waits until nobody has the tick, or its holder has been silent: then returns that holder. */
async function standBy(
  location: ArchiveLocation,
  { silence, signal, tell }: TickOptions,
): Promise<WorkerFact | undefined> {
  const { catalog, close } = await openForReading(location);
  const pause = silence / BEATS_PER_SILENCE;
  try {
    let last: { readonly holder: WorkerFact; readonly at: number } | undefined;
    for (let lookedAt = performance.now(); !signal.aborted; await systemClock.sleep(pause, signal)) {
      const at = performance.now();
      const holder = await catalog.tickHolder().catch((error: unknown) => {
        // Whether it was silent while the database was unreachable is unknown.
        if (error instanceof CatalogFault && error.kind === 'unreachable') return 'unknown' as const;
        throw error;
      });
      const wasAway = at - lookedAt > silence / 2;
      lookedAt = at;
      if (!holder) return undefined;
      if (holder === 'unknown') last = undefined;
      else if (wasAway || last?.holder.id !== holder.id || last.holder.beats !== holder.beats) {
        if (last?.holder.id !== holder.id) tell(standing(holder, silence));
        last = { holder, at };
      } else if (at - last.at >= silence) {
        tell(`Worker ${holder.id} has given no sign of life for ${silence / 1000} s: taking over from it.`);
        return holder;
      }
    }
    return undefined;
  } finally {
    await close().catch(() => {});
  }
}

const standing = ({ id, machine, process }: WorkerFact, silence: number): string =>
  `The archive is watched by worker ${id} (${machine}, process ${process}): standing by, and taking over when it leaves or gives no ` +
  `sign of life for ${silence / 1000} s.`;

async function attended(
  archive: SharedArchive,
  location: QueueLocation,
  { silence, handsOver, signal }: TickOptions,
): Promise<WatchedArchive> {
  const { catalog, workerId, identity } = archive;
  const lost = new AbortController();
  const onFailure = (error: unknown): void => {
    if (lost.signal.aborted) return;
    setTimeout(() => {
      throw error;
    }, LAST_RESORT).unref();
    lost.abort(error);
  };
  const closing = [() => archive.close()];
  try {
    const queue = handsOver ? await openQueue(location, identity?.id ?? '', signal) : undefined;
    if (queue) closing.unshift(() => queue.close());
    const attendance = new Attendance({
      ...{ catalog, workerId, silence },
      // Without a queue, jobs of workers that it dismisses are freed by the next worker that checks.
      queue: queue ?? { holders: async () => [], free: async () => {} },
      sign: () => ({ doing: ['has the tick of the watch'], settled: 0, rate: 0 }),
      now: () => performance.now(),
      onEnd: onFailure,
    });
    await attendance.begin();
    closing.unshift(() => attendance.end());
    return {
      // A single book: everybody else who decides something asks this process to write it down.
      archive: { ...archive, decisions: once(archive.decisions) },
      sharing: { workerId, isConfirmed: () => attendance.isConfirmed, onFailure, ...(queue && { queue }) },
      lost: lost.signal,
      close: () => closeAll(closing),
    };
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}

interface QueueLocation extends Pick<ArchiveLocation, 'databaseWait'> {
  readonly database: string;
}

async function openQueue(
  { database, databaseWait = 0 }: QueueLocation,
  archiveId: string,
  signal: AbortSignal,
): Promise<JobQueue> {
  const { openJobQueue } = await import('../../catalog/jobs/graphile-queue.ts');
  return openJobQueue(database, { archiveId, connections: 1, patience: { wait: databaseWait, signal } });
}
