import type { FrontierEntry } from '../model/crawl.ts';
import type { Millis } from '../model/exchange.ts';

/** Entries of one host held in memory; the rest stays in the catalog until the window runs dry. */
const WINDOW = 256;

export type LoadPending = (limit: number, except: readonly number[]) => Promise<readonly FrontierEntry[]>;

/**
 * The pending entries of one host, lowest rank first. The catalog holds them all; this is a window on its
 * low end, so that a frontier of a million URLs costs a few hundred in memory.
 *
 * An entry is in one of four places:
 *   beyond   in the catalog only (`beyond` counts them)
 *   window   in memory, waiting for its turn
 *   later    in memory, deferred until its `notBefore`
 *   claimed  handed out; the catalog still says pending, until `settled` is called
 * Invariant: every pending entry with a rank up to `horizon` is in memory; what is beyond lies past it.
 */
export class HostQueue {
  readonly host: string;
  readonly #load: LoadPending;
  #window: FrontierEntry[] = [];
  #later: FrontierEntry[] = [];
  readonly #claimed = new Set<number>();
  #beyond: number;
  #horizon: number;
  #loading = false;

  constructor(host: string, pendingInCatalog: number, load: LoadPending) {
    this.host = host;
    this.#beyond = pendingInCatalog;
    this.#horizon = pendingInCatalog > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    this.#load = load;
  }

  /** Entries not yet settled, claimed ones included. */
  get size(): number {
    return this.#beyond + this.#window.length + this.#later.length + this.#claimed.size;
  }

  /** Entries that wait to be claimed. */
  get waiting(): number {
    return this.#beyond + this.#window.length + this.#later.length;
  }

  /** A newly enqueued entry; it stands in the catalog already. */
  offer(entry: FrontierEntry): void {
    if (entry.rank > this.#horizon) {
      this.#beyond++;
      return;
    }
    this.#insert(entry);
    if (this.#window.length > 2 * WINDOW) {
      this.#beyond += this.#window.length - WINDOW;
      this.#window.length = WINDOW;
      this.#horizon = this.#window.at(-1)?.rank ?? this.#horizon;
    }
  }

  /** An entry that is to be tried again once `notBefore` has come. */
  defer(entry: FrontierEntry): void {
    this.#claimed.delete(entry.id);
    this.#later.push(entry);
  }

  /** Takes a claim back: the entry was not visited after all. */
  putBack(entry: FrontierEntry): void {
    this.#claimed.delete(entry.id);
    this.#insert(entry);
  }

  settled(entry: FrontierEntry): void {
    this.#claimed.delete(entry.id);
  }

  /** The lowest entry, now claimed; undefined when none is ready (see `needsLoad`, `readyAt`). */
  take(now: Millis): FrontierEntry | undefined {
    this.#wakeDeferred(now);
    const entry = this.#window.shift();
    if (entry) this.#claimed.add(entry.id);
    return entry;
  }

  get needsLoad(): boolean {
    return this.#window.length === 0 && this.#beyond > 0 && !this.#loading;
  }

  /** When the queue has something to hand out: now, at the first deferred entry, or never. */
  readyAt(now: Millis): Millis {
    if (this.#window.length > 0 || this.#beyond > 0) return now;
    return this.#later.reduce((least, { notBefore }) => Math.min(least, notBefore), Number.POSITIVE_INFINITY);
  }

  /** Fills the window from the catalog. */
  async load(now: Millis): Promise<void> {
    if (!this.needsLoad) return;
    this.#loading = true;
    try {
      const except = [...this.#claimed, ...this.#later.map(({ id }) => id)];
      const before = this.#beyond;
      const entries = await this.#load(WINDOW, except);
      // Offered while the catalog was asked: it may have answered without them.
      const arrived = this.#beyond - before;
      const known = new Set([
        ...this.#window.map(({ id }) => id),
        ...this.#claimed,
        ...this.#later.map(({ id }) => id),
      ]);
      const fresh = entries.filter(({ id }) => !known.has(id));
      // Fewer than asked for means that the catalog had no more.
      this.#beyond = entries.length < WINDOW ? arrived : Math.max(0, this.#beyond - fresh.length);
      this.#horizon = this.#beyond === 0 ? Number.POSITIVE_INFINITY : (entries.at(-1)?.rank ?? this.#horizon);
      for (const entry of fresh) {
        if (entry.notBefore > now) this.#later.push(entry);
        else this.#insert(entry);
      }
    } finally {
      this.#loading = false;
    }
  }

  #wakeDeferred(now: Millis): void {
    if (this.#later.length === 0) return;
    const still: FrontierEntry[] = [];
    for (const entry of this.#later) {
      if (entry.notBefore <= now) this.offer(entry);
      else still.push(entry);
    }
    this.#later = still;
  }

  #insert(entry: FrontierEntry): void {
    let low = 0;
    let high = this.#window.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#window[middle] as FrontierEntry;
      if (other.rank < entry.rank || (other.rank === entry.rank && other.id < entry.id)) low = middle + 1;
      else high = middle;
    }
    this.#window.splice(low, 0, entry);
  }
}
