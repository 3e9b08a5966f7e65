import type { FrontierEntry } from '../model/crawl.ts';

/** Entries held in memory; the rest stays in the catalog. */
const WINDOW = 256;

/** Entries of one band of ranks, by rank and id, from this place on; those handed out and not settled are among them. */
export type LoadRanks = (offset: number, limit: number) => Promise<readonly FrontierEntry[]>;

/**
 * The waiting entries of one band, sorted by rank: any place of the list can be taken. The catalog holds them all;
 * this is a window on it, around the place that was asked for last, so that a frontier of a million URLs costs a few
 * hundred in memory, whichever end is served. Places asked for one after the other lie close together: the window
 * is loaded anew once in a hundred takes.
 *
 *   below   in the catalog only, before the window
 *   window  in memory
 *   beyond  in the catalog only, after the window
 * Invariant: what waits between `#low` and `#high` is in memory. The counts may be off by what is committed while the
 * catalog is asked; an empty answer puts them right.
 */
export class RankWindow {
  readonly #load: LoadRanks;
  #window: FrontierEntry[] = [];
  #below = 0;
  #beyond: number;
  /** What comes before it is below; undefined: nothing is. */
  #low: FrontierEntry | undefined;
  /** What comes after it is beyond; undefined: nothing is, or, with an empty window, everything. */
  #high: FrontierEntry | undefined;
  #loading = false;
  /** Loaded, and nothing taken since. */
  #fresh = false;
  /** Place in the window that was asked for last. */
  #focus = 0;
  /** Place of the entry that was taken last: right after the catalog was asked, not always the one that was meant. */
  takenAt = 0;
  /** Offered while the catalog was asked. */
  #arrived: FrontierEntry[] = [];

  constructor(waitingInCatalog: number, load: LoadRanks) {
    this.#beyond = waitingInCatalog;
    this.#load = load;
  }

  get size(): number {
    return this.#below + this.#window.length + this.#beyond + this.#arrived.length;
  }

  get loading(): boolean {
    return this.#loading;
  }

  /** An entry that stands in the catalog and waits. */
  offer(entry: FrontierEntry): void {
    if (this.#loading) this.#arrived.push(entry);
    else this.#place(entry);
  }

  /** Takes the entry at a place; undefined when it is not in memory: then `load` is due. */
  take(place: number): FrontierEntry | undefined {
    const at = place - this.#below;
    // Counts may be off by what is handed out: what was just loaded is near enough.
    const held = this.#fresh ? Math.max(0, Math.min(at, this.#window.length - 1)) : at;
    this.#focus = held;
    if (held < 0 || held >= this.#window.length) return undefined;
    this.#fresh = false;
    this.takenAt = this.#below + held;
    return this.#window.splice(held, 1)[0];
  }

  /** Brings the window to a place. `out` are the entries in the catalog that are handed out or deferred. */
  async load(place: number, out: ReadonlyMap<number, FrontierEntry>): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    const known = this.#below + this.#window.length + this.#beyond;
    try {
      let offset = Math.max(0, Math.min(place - WINDOW / 2, known - WINDOW));
      const limit = WINDOW + out.size;
      let rows = await this.#load(offset, limit);
      if (rows.length === 0 && offset > 0) {
        offset = 0;
        rows = await this.#load(offset, limit);
      }
      const [first] = rows;
      const skipped = first ? [...out.values()].filter((entry) => precedes(entry, first)).length : 0;
      this.#window = rows.filter(({ id }) => !out.has(id));
      this.#below = Math.max(0, offset - skipped);
      // Fewer than asked for means that the catalog had no more.
      this.#beyond = rows.length < limit ? 0 : Math.max(0, known - this.#below - this.#window.length);
      this.#low = this.#below > 0 ? first : undefined;
      this.#high = this.#beyond > 0 ? rows.at(-1) : undefined;
      this.#fresh = true;
    } finally {
      this.#loading = false;
      const arrived = this.#arrived;
      this.#arrived = [];
      for (const entry of arrived) this.#place(entry);
    }
  }

  #place(entry: FrontierEntry): void {
    if (this.#low && precedes(entry, this.#low)) this.#below++;
    else if (this.#beyond > 0 && (!this.#high || precedes(this.#high, entry))) this.#beyond++;
    else this.#insert(entry);
  }

  #insert(entry: FrontierEntry): void {
    let low = 0;
    let high = this.#window.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (precedes(this.#window[middle] as FrontierEntry, entry)) low = middle + 1;
      else high = middle;
    }
    // The catalog may have shown it already.
    if (this.#window[low]?.id === entry.id) return;
    this.#window.splice(low, 0, entry);
    if (this.#window.length > 2 * WINDOW) this.#trim();
  }

  /** Keeps what is around the place that was asked for last. */
  #trim(): void {
    const spare = this.#window.length - WINDOW;
    const start = Math.max(0, Math.min(Math.round(this.#focus - WINDOW / 2), spare));
    this.#below += start;
    this.#beyond += spare - start;
    this.#window = this.#window.slice(start, start + WINDOW);
    if (this.#below > 0) this.#low = this.#window[0];
    if (this.#beyond > 0) this.#high = this.#window.at(-1);
    this.#focus -= start;
  }
}

const precedes = (a: FrontierEntry, b: FrontierEntry): boolean =>
  a.rank < b.rank || (a.rank === b.rank && a.id < b.id);
