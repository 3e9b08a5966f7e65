import { CatalogFault } from '../../catalog/faults.ts';
import type { Millis } from '../../model/time.ts';
import type { SignOfLife, WorkerFact } from '../../model/worker.ts';
import type { WorkerCatalog } from '../../ports/catalog.ts';
import type { JobQueue } from '../../ports/job-queue.ts';
import { systemClock } from '../system-clock.ts';
import { type ClockReading, clockFault } from './compare-clocks.ts';

/** How long without a sign of life until a worker counts as dead, in milliseconds. */
export const SILENCE = 60_000;

/** Signs of life in that time: one or two may be late. */
export const BEATS_PER_SILENCE = 6;

/**
 * How much longer than the silence hosts are left alone that a dead worker was asking, in milliseconds: its own pauses
 * died with it.
 */
export const AFTER_DEATH = 5_000;

export interface AttendanceOptions {
  readonly catalog: Pick<WorkerCatalog, 'giveSign' | 'workers' | 'dismissWorkers'>;
  readonly queue: Pick<JobQueue, 'holders' | 'free'>;
  readonly workerId: number;
  /** In milliseconds; the same for all who share an archive. */
  readonly silence: number;
  readonly sign: () => SignOfLife;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** The clock by which captures are dated. */
  readonly wallClock?: () => Millis;
  /** Somebody else has dismissed us, or the catalog is gone for good. */
  readonly onEnd: (error: unknown) => void;
  readonly onDismiss?: (worker: WorkerFact) => void;
}

/**
 * Says that this worker is alive, and looks after the others: one whose signs of life have not grown for the whole silence, by
 * our own clock, is dismissed, and what it held is freed: clocks of machines are not compared for that. Our own is compared with that of the
 * database, since it dates what is captured: one that is far off ends this worker.
 */
export class Attendance {
  readonly #options: AttendanceOptions;
  readonly #seen = new Map<number, { readonly beats: number; readonly at: number }>();
  /** Names that held jobs at our last check although no worker has them. */
  #strangers: ReadonlySet<string> = new Set();
  #lookedAt: number;
  #confirmedAt: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: AttendanceOptions) {
    this.#options = options;
    this.#lookedAt = options.now();
    this.#confirmedAt = options.now();
  }

  get #interval(): number {
    return this.#options.silence / BEATS_PER_SILENCE;
  }

  /**
   * True while nobody can have dismissed us yet: after that no host may be asked, since another worker may be
   * asking it.
   */
  get isConfirmed(): boolean {
    return this.#options.now() - this.#confirmedAt < this.#options.silence;
  }

  async begin(): Promise<void> {
    await this.#attend();
    this.#again();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #again(): void {
    if (this.#isOver) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#attend()
        .then(() => this.#again())
        .catch((error: unknown) => this.#options.onEnd(error));
    }, this.#interval);
  }

  async #attend(): Promise<void> {
    const { catalog, workerId, sign, now, silence, wallClock = systemClock.now } = this.#options;
    const asked = now();
    const before = wallClock();
    if (!(await catalog.giveSign(workerId, sign())))
      throw new CatalogFault(
        'dismissed',
        'shared with others',
        `worker ${workerId} gave no sign of life for ${silence / 1000} s, and others go on with its work. What was reported captured is safe: start it again`,
      );
    this.#confirmedAt = asked;
    await this.#lookAround({ before, after: wallClock() });
  }

  async #lookAround(clock: Pick<ClockReading, 'before' | 'after'>): Promise<void> {
    const { catalog, workerId, now, silence } = this.#options;
    const at = now();
    // We were away ourselves, so whether others were too is unknown.
    if (at - this.#lookedAt > silence / 2) this.#seen.clear();
    this.#lookedAt = at;
    const workers = await catalog.workers();
    const own = workers.find(({ id }) => id === workerId);
    const fault = own && clockFault({ database: own.beatAt, ...clock });
    if (fault) throw fault;
    const silent: WorkerFact[] = [];
    for (const worker of workers) {
      const before = this.#seen.get(worker.id);
      if (!before || before.beats !== worker.beats) this.#seen.set(worker.id, { beats: worker.beats, at });
      else if (worker.id !== workerId && at - before.at >= silence) silent.push(worker);
    }
    if (silent.length > 0) {
      await catalog.dismissWorkers(
        silent.map(({ id }) => id),
        AFTER_DEATH,
      );
      for (const worker of silent) this.#options.onDismiss?.(worker);
    }
    await this.#freeJobs(workers, silent);
  }

  /**
   * For dead workers at once; for names that nobody has, on the second encounter: a worker takes its name a moment
   * before announcing it.
   */
  async #freeJobs(workers: readonly WorkerFact[], dead: readonly WorkerFact[]): Promise<void> {
    const { queue } = this.#options;
    const known = new Set(workers.flatMap(({ pools }) => pools ?? []));
    const strangers = (await queue.holders()).filter((name) => !known.has(name));
    const free = [
      ...dead.flatMap(({ pools }) => pools ?? []),
      ...strangers.filter((name) => this.#strangers.has(name)),
    ];
    if (free.length > 0) await queue.free(free);
    this.#strangers = new Set(strangers);
  }
}
