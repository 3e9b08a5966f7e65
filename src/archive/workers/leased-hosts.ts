import type { Courtesy } from '../../loop/courtesy.ts';
import type { HostLeases } from '../../loop/host-leases.ts';
import type { ReturnedHost } from '../../model/worker.ts';
import type { WorkerCatalog } from '../../ports/catalog.ts';
import type { Clock } from '../../ports/clock.ts';

/** Interval between two checks of hosts that are wanted, or held in vain, in milliseconds. */
const LOOK_EVERY = 250;
/** How long until a host that nothing here wants is given back, in milliseconds. */
const IDLE = 2_000;
/**
 * How long until a host that others may want too is given back although there is more to fetch from it, in
 * milliseconds.
 */
const TURN = 10_000;
/**
 * Shortest pause that must outlive this worker, in milliseconds: shorter ones are over before others know that it
 * died.
 */
const LONG_PAUSE = 5_000;
/** How long it is then left to others, in milliseconds. */
const OTHERS_TURN = 1_000;

export interface LeasedHostsOptions {
  readonly catalog: Pick<WorkerCatalog, 'leaseHosts' | 'notePauses' | 'returnHosts'>;
  readonly workerId: number;
  /** Shared by all pieces of this worker. */
  readonly courtesy: Courtesy;
  readonly clock: Pick<Clock, 'now'>;
  /** False once this worker may have been dismissed. */
  readonly isConfirmed: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

interface Held {
  readonly since: number;
  wantedAt: number;
  /** The next allowed time, as last published to others. */
  notedAt: number;
  /** Pieces that have used it. */
  readonly users: Set<PieceLeases>;
}

/** The leases of one piece. */
export interface PieceLeases extends HostLeases {
  /** The piece is over: hosts that no other piece uses are given back. */
  leave(): Promise<void>;
}

/**
 * Hosts that this worker alone may ask. A host is
 *
 *   wanted    requested at the next check, and again until it is obtained
 *   held      ours; what its last worker left of its pause is kept
 *   returned  given back with what is left of its pause: idle, its turn is over, or its piece is
 *
 * The hosts of a piece's own site are held until it ends: the queue keeps other crawls of the site away anyway. Others,
 * such as one that serves pictures to many sites, are passed around.
 */
export class LeasedHosts {
  readonly #options: LeasedHostsOptions;
  readonly #held = new Map<string, Held>();
  readonly #wanted = new Map<string, Set<PieceLeases>>();
  /** Until when they are left to others. */
  readonly #left = new Map<string, number>();
  readonly #own = new Map<PieceLeases, ReadonlySet<string>>();
  /** Tail of the queries to the catalog: a host that is being given back is not requested meanwhile. */
  #queue: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: LeasedHostsOptions) {
    this.#options = options;
  }

  /** @param own hosts of the piece's site */
  forPiece(own: ReadonlySet<string>): PieceLeases {
    const leases: PieceLeases = {
      mayAsk: (host) => this.#mayAsk(host, leases),
      leave: () => this.#leave(leases),
    };
    this.#own.set(leases, own);
    return leases;
  }

  /** Gives everything back. */
  async close(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#return([...this.#held.keys()]);
  }

  #mayAsk(host: string, piece: PieceLeases): boolean {
    const { clock, isConfirmed } = this.#options;
    if (!isConfirmed()) return false;
    const held = this.#held.get(host);
    if (held) {
      held.wantedAt = clock.now();
      held.users.add(piece);
      return this.#options.courtesy.of(host).politeness.nextAt <= clock.now();
    }
    const wanting = this.#wanted.get(host);
    if (wanting) wanting.add(piece);
    else {
      this.#wanted.set(host, new Set([piece]));
      this.#lookIn(0);
    }
    return false;
  }

  async #leave(piece: PieceLeases): Promise<void> {
    this.#own.delete(piece);
    for (const [host, pieces] of this.#wanted)
      if (pieces.delete(piece) && pieces.size === 0) this.#wanted.delete(host);
    const free: string[] = [];
    for (const [host, { users }] of this.#held) if (users.delete(piece) && users.size === 0) free.push(host);
    await this.#return(free);
  }

  #lookIn(millis: number): void {
    if (this.#isOver || (this.#timer && millis > 0)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#look().then(
        () => {
          if (this.#held.size + this.#wanted.size > 0) this.#lookIn(LOOK_EVERY);
        },
        (error: unknown) => this.#options.onFailure(error),
      );
    }, millis);
  }

  async #look(): Promise<void> {
    await this.#return(this.#spare());
    await this.#note();
    await this.#inTurn(() => this.#lease());
  }

  async #lease(): Promise<void> {
    const { catalog, workerId, clock, courtesy } = this.#options;
    for (const [host, until] of this.#left) if (until <= clock.now()) this.#left.delete(host);
    const names = [...this.#wanted.keys()].filter((host) => !this.#left.has(host));
    if (names.length === 0) return;
    const had = await catalog.leaseHosts(workerId, names);
    const now = clock.now();
    for (const { host, pause } of had) {
      const manners = courtesy.of(host);
      const nextAt = Math.max(manners.politeness.nextAt, now + pause);
      manners.politeness = { ...manners.politeness, nextAt };
      this.#held.set(host, {
        since: now,
        wantedAt: now,
        notedAt: nextAt,
        users: this.#wanted.get(host) ?? new Set(),
      });
      this.#wanted.delete(host);
    }
  }

  /** A Retry-After of an hour must not die with the worker that received it. */
  async #note(): Promise<void> {
    const { catalog, workerId, clock, courtesy } = this.#options;
    const now = clock.now();
    const long: ReturnedHost[] = [];
    for (const [host, held] of this.#held) {
      const { nextAt } = courtesy.of(host).politeness;
      if (nextAt - now < LONG_PAUSE || nextAt === held.notedAt) continue;
      held.notedAt = nextAt;
      long.push({ host, pause: nextAt - now });
    }
    if (long.length > 0) await this.#inTurn(() => catalog.notePauses(workerId, long));
  }

  /** Hosts held in vain, or for long enough. */
  #spare(): readonly string[] {
    const { clock, courtesy } = this.#options;
    const now = clock.now();
    const spare: string[] = [];
    for (const [host, { since, wantedAt }] of this.#held) {
      if (courtesy.of(host).inFlight > 0) continue;
      const isTurnOver = now - since > TURN && ![...this.#own.values()].some((own) => own.has(host));
      if (isTurnOver) this.#left.set(host, now + OTHERS_TURN);
      if (isTurnOver || now - wantedAt > IDLE) spare.push(host);
    }
    return spare;
  }

  async #return(hosts: readonly string[]): Promise<void> {
    const { catalog, workerId, clock, courtesy } = this.#options;
    const now = clock.now();
    const returned: ReturnedHost[] = hosts.flatMap((host) =>
      this.#held.delete(host) ? { host, pause: Math.max(0, courtesy.of(host).politeness.nextAt - now) } : [],
    );
    if (returned.length > 0) await this.#inTurn(() => catalog.returnHosts(workerId, returned));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }
}
