import type { NameHash } from './stored-text.ts';

/** Where a URL stands in the frontier of one crawl, as far as this process knows. */
export type FrontierPlace = 'unknown' | 'queued' | 'skipped';

const PLACES: readonly FrontierPlace[] = ['unknown', 'queued', 'skipped'];
const HAS_SURT = 4;
const FIRST_ROWS = 1_024;
/** Ids are kept in 32 bits; names past that are found by SQL as ever. */
const MAX_ID = 2 ** 32 - 1;

export interface Notes {
  readonly crawlId: number;
  readonly place: FrontierPlace;
  readonly hasSurt: boolean;
}

/**
 * Ids and notes of names by their hash, in about 33 bytes each and without work for the garbage collector:
 * a JavaScript map of a million texts would take 200 MB. Rows are added and never move; `slots` is a hash
 * table with linear probing whose cells hold row + 1, at most half full. It grows by doubling up to
 * `limit` rows. Then it adds no more: the first names of a crawl are those that its pages link to most.
 */
export class NameTable {
  readonly #limit: number;
  #size = 0;
  #slots = new Int32Array(2 * FIRST_ROWS);
  #hi = new Float64Array(FIRST_ROWS);
  #lo = new Float64Array(FIRST_ROWS);
  #ids = new Uint32Array(FIRST_ROWS);
  #crawls = new Uint32Array(FIRST_ROWS);
  #flags = new Uint8Array(FIRST_ROWS);

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The row of a name, or -1. */
  find(hash: NameHash): number {
    return (this.#slots[this.#slotOf(hash)] ?? 0) - 1;
  }

  /** The row of a name that had none, or -1 where there is no room. */
  add(hash: NameHash, id: number): number {
    if (this.#size >= this.#limit || id > MAX_ID) return -1;
    if (this.#size === this.#ids.length) this.#grow();
    const row = this.#size++;
    this.#hi[row] = hash.hi;
    this.#lo[row] = hash.lo;
    this.#ids[row] = id;
    this.#slots[this.#slotOf(hash)] = row + 1;
    return row;
  }

  id(row: number): number {
    return this.#ids[row] ?? 0;
  }

  notes(row: number): Notes {
    const flags = this.#flags[row] ?? 0;
    return {
      crawlId: this.#crawls[row] ?? 0,
      place: PLACES[flags % HAS_SURT] ?? 'unknown',
      hasSurt: flags >= HAS_SURT,
    };
  }

  note(row: number, { crawlId, place, hasSurt }: Notes): void {
    if (row < 0 || crawlId > MAX_ID) return;
    this.#crawls[row] = crawlId;
    this.#flags[row] = PLACES.indexOf(place) + (hasSurt ? HAS_SURT : 0);
  }

  clear(): void {
    this.#size = 0;
    this.#slots = new Int32Array(2 * FIRST_ROWS);
    this.#hi = new Float64Array(FIRST_ROWS);
    this.#lo = new Float64Array(FIRST_ROWS);
    this.#ids = new Uint32Array(FIRST_ROWS);
    this.#crawls = new Uint32Array(FIRST_ROWS);
    this.#flags = new Uint8Array(FIRST_ROWS);
  }

  /** The slot that holds the name, or the empty one where it belongs. */
  #slotOf({ hi, lo }: NameHash): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    // The hash is even already: its lowest bits are as good as any.
    for (let slot = lo & mask; ; slot = (slot + 1) & mask) {
      const row = (slots[slot] ?? 0) - 1;
      if (row < 0 || (this.#lo[row] === lo && this.#hi[row] === hi)) return slot;
    }
  }

  #grow(): void {
    const rows = 2 * this.#ids.length;
    const grown = <T extends Float64Array | Uint32Array | Uint8Array>(into: T, from: T): T => {
      into.set(from);
      return into;
    };
    this.#hi = grown(new Float64Array(rows), this.#hi);
    this.#lo = grown(new Float64Array(rows), this.#lo);
    this.#ids = grown(new Uint32Array(rows), this.#ids);
    this.#crawls = grown(new Uint32Array(rows), this.#crawls);
    this.#flags = grown(new Uint8Array(rows), this.#flags);
    this.#slots = new Int32Array(2 * rows);
    for (let row = 0; row < this.#size; row++) {
      const hash = { hi: this.#hi[row] ?? 0, lo: this.#lo[row] ?? 0 };
      this.#slots[this.#slotOf(hash)] = row + 1;
    }
  }
}
