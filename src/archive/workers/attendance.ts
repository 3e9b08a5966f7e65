import { CatalogFault } from '../../catalog/faults.ts';
import type { SignOfLife, WorkerFact } from '../../model/worker.ts';
import type { WorkerCatalog } from '../../ports/catalog.ts';
import type { JobQueue } from '../../ports/job-queue.ts';

/** Milliseconds without a sign of life after which a worker counts as dead. */
export const SILENCE = 60_000;

/** Signs of life in that time: one or two may be late. */
const BEATS_PER_SILENCE = 6;

/** Milliseconds that hosts are left alone which a dead worker asked, beside the silence: its own pauses died with it. */
const AFTER_DEATH = 5_000;

export interface AttendanceOptions {
  readonly catalog: Pick<WorkerCatalog, 'giveSign' | 'workers' | 'dismissWorkers'>;
  readonly queue: Pick<JobQueue, 'holders' | 'free'>;
  readonly workerId: number;
  /** Milliseconds; the same for all who share an archive. */
  readonly silence: number;
  readonly sign: () => SignOfLife;
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number;
  /** Somebody else has dismissed us, or the catalog is gone for good. */
  readonly onEnd: (error: unknown) => void;
  readonly onDismiss?: (worker: WorkerFact) => void;
}

/**
 * Says that this worker is alive, and looks after the others: one whose signs of life have not grown for the whole silence, by
 * our own clock, is dismissed, and what it held is freed. Clocks of machines are never compared.
 */
export class Attendance {
  readonly #options: AttendanceOptions;
  readonly #seen = new Map<number, { readonly beats: number; readonly at: number }>();
  /** Names that held jobs when we last looked, though no worker has them. */
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

  /** Whether nobody can have dismissed us yet: after that no host may be asked, since another may be asking it. */
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
    const { catalog, workerId, sign, now, silence } = this.#options;
    const asked = now();
    if (!(await catalog.giveSign(workerId, sign())))
      throw new CatalogFault(
        'dismissed',
        'shared with others',
        `worker ${workerId} gave no sign of life for ${silence / 1000} s, and others go on with its work. What was reported captured is safe: start it again`,
      );
    this.#confirmedAt = asked;
    await this.#lookAround();
  }

  async #lookAround(): Promise<void> {
    const { catalog, workerId, now, silence } = this.#options;
    const at = now();
    // We were away ourselves: whether others were, too, is not known.
    if (at - this.#lookedAt > silence / 2) this.#seen.clear();
    this.#lookedAt = at;
    const workers = await catalog.workers();
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

  /** Of the dead at once; of names that nobody has, when they are met again: a worker takes its name a moment before it tells it. */
  async #freeJobs(workers: readonly WorkerFact[], dead: readonly WorkerFact[]): Promise<void> {
    const { queue } = this.#options;
    const known = new Set(workers.flatMap(({ pool }) => pool ?? []));
    const strangers = (await queue.holders()).filter((name) => !known.has(name));
    const free = [
      ...dead.flatMap(({ pool }) => pool ?? []),
      ...strangers.filter((name) => this.#strangers.has(name)),
    ];
    if (free.length > 0) await queue.free(free);
    this.#strangers = new Set(strangers);
  }
}
