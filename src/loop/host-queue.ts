import { type FrontierEntry, RANKS } from '../model/crawl.ts';
import type { Millis } from '../model/time.ts';
import { RankWindow } from './rank-window.ts';

/** Pending entries of a host with a rank in [from, to), by rank and id, from the offset on. */
export type LoadPending = (range: {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  readonly limit: number;
}) => Promise<readonly FrontierEntry[]>;

/** Place among so many waiting pages, from 0 for the lowest rank, of the one that comes next. */
export type NextPlace = (waiting: number) => number;

/** Pending entries by band of ranks. */
export interface BandCounts {
  readonly atOnce: number;
  readonly pages: number;
  readonly reserve: number;
}

export const NOTHING_PENDING: BandCounts = { atOnce: 0, pages: 0, reserve: 0 };

interface Band {
  /** Ranks below this. */
  readonly to: number;
  readonly window: RankWindow;
  readonly next: NextPlace;
}

/**
 * The pending entries of one host. The bands are served one after the other: what belongs to a page's moment, lowest
 * rank first; pages, in whatever place the order says; pages in reserve, lowest first.
 *
 * An entry is in one of three places:
 *   waiting  in its band, in memory or in the catalog only (see RankWindow)
 *   later    deferred until its `notBefore`
 *   last     asked for when nothing else waits
 *   claimed  handed out; the catalog still says pending, until `settled` is called
 */
export class HostQueue {
  readonly host: string;
  readonly #bands: readonly Band[];
  #later: FrontierEntry[] = [];
  readonly #last: FrontierEntry[] = [];
  readonly #claimed = new Map<number, FrontierEntry>();
  #takenAt = 0;

  constructor(host: string, pendingInCatalog: BandCounts, load: LoadPending, next: NextPlace = first) {
    this.host = host;
    const band = (from: number, to: number, pending: number, place: NextPlace): Band => ({
      to,
      window: new RankWindow(pending, (offset, limit) => load({ from, to, offset, limit })),
      next: place,
    });
    const { atOnce, pages, reserve } = pendingInCatalog;
    this.#bands = [
      band(Number.NEGATIVE_INFINITY, RANKS.pages, atOnce, first),
      band(RANKS.pages, RANKS.reserve, pages, next),
      band(RANKS.reserve, Number.POSITIVE_INFINITY, reserve, first),
    ];
  }

  /** Place among the waiting entries of its band that the last one taken had. */
  get takenAt(): number {
    return this.#takenAt;
  }

  /** Entries not yet settled, claimed ones included. */
  get size(): number {
    return this.waiting + this.#claimed.size;
  }

  /** Entries that wait to be claimed. */
  get waiting(): number {
    let sum = this.#later.length + this.#last.length;
    for (const { window } of this.#bands) sum += window.size;
    return sum;
  }

  /** A newly enqueued entry; it stands in the catalog already. */
  offer(entry: FrontierEntry): void {
    // Loaded, and handed out, before its offer came.
    if (this.#claimed.has(entry.id) || this.#last.some(({ id }) => id === entry.id)) return;
    this.#bandOf(entry).offer(entry);
  }

  /** An entry that is to be tried again once `notBefore` has come. */
  defer(entry: FrontierEntry): void {
    this.#claimed.delete(entry.id);
    this.#later.push(entry);
  }

  /** An entry that is to be tried again when nothing else waits: others tell meanwhile whether the host answers at all. */
  deferToLast(entry: FrontierEntry): void {
    this.#claimed.delete(entry.id);
    this.#last.push(entry);
  }

  /** Takes a claim back until nothing else waits; false where nothing does. */
  postpone(entry: FrontierEntry): boolean {
    if (!this.#servedBand()) return false;
    this.#claimed.delete(entry.id);
    this.#last.push(entry);
    return true;
  }

  /** Takes a claim back: the entry was not visited after all. */
  putBack(entry: FrontierEntry): void {
    this.#claimed.delete(entry.id);
    this.#bandOf(entry).offer(entry);
  }

  settled(entry: FrontierEntry): void {
    this.#claimed.delete(entry.id);
  }

  /** The next entry, now claimed; undefined when none is ready in memory: see `load`, `readyAt`. */
  take(now: Millis): FrontierEntry | undefined {
    this.#wakeDeferred(now);
    for (;;) {
      const band = this.#servedBand();
      if (!band) return this.#takeLast();
      if (band.window.loading) return undefined;
      const entry = band.window.take(placeIn(band));
      if (!entry) return undefined;
      this.#takenAt = band.window.takenAt;
      if (entry.notBefore <= now) {
        this.#claimed.set(entry.id, entry);
        return entry;
      }
      // Deferred by an earlier run of the crawl.
      this.#later.push(entry);
    }
  }

  /** When the queue has something to hand out: now, at the first deferred entry, or never. */
  readyAt(now: Millis): Millis {
    const band = this.#servedBand();
    // What is being loaded tells by itself when it is there.
    if (band) return band.window.loading ? Number.POSITIVE_INFINITY : now;
    if (this.#last.length > 0) return now;
    return this.#later.reduce((least, { notBefore }) => Math.min(least, notBefore), Number.POSITIVE_INFINITY);
  }

  /** Brings what is next into memory; for when `take` had nothing though entries wait. */
  async load(): Promise<void> {
    const band = this.#servedBand();
    if (!band) return;
    const out = new Map<number, FrontierEntry>();
    for (const entry of [...this.#claimed.values(), ...this.#later, ...this.#last])
      if (this.#bandOf(entry) === band.window) out.set(entry.id, entry);
    await band.window.load(placeIn(band), out);
  }

  #takeLast(): FrontierEntry | undefined {
    const entry = this.#last.shift();
    if (entry) this.#claimed.set(entry.id, entry);
    return entry;
  }

  #servedBand(): Band | undefined {
    return this.#bands.find(({ window }) => window.size > 0);
  }

  #bandOf(entry: FrontierEntry): RankWindow {
    const band = this.#bands.find(({ to }) => entry.rank < to) ?? this.#bands.at(-1);
    return (band as Band).window;
  }

  #wakeDeferred(now: Millis): void {
    if (this.#later.length === 0) return;
    const still: FrontierEntry[] = [];
    for (const entry of this.#later) {
      if (entry.notBefore <= now) this.#bandOf(entry).offer(entry);
      else still.push(entry);
    }
    this.#later = still;
  }
}

function first(): number {
  return 0;
}

function placeIn({ window, next }: Band): number {
  const { size } = window;
  return Math.max(0, Math.min(Math.floor(next(size)), size - 1));
}
