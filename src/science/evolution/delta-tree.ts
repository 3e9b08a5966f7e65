import { DirectoryTree } from './directory-tree.ts';
import { type VersionCounts, VersionDiffer, type VersionPage } from './wd-diff.ts';

/**
 * The General Delta Tree (NEAR-Miner 2009, Algorithm 2): of every directory, its degree of change in every transition.
 * It holds the degrees themselves, so that another threshold α needs no second reading of the versions. A new version
 * is one more column.
 */
export class DeltaTree {
  readonly tree = new DirectoryTree();
  readonly #differ = new VersionDiffer(this.tree);
  readonly #weighted: boolean;
  readonly #columns: Float64Array[] = [];
  #versions = 0;

  /** `weighted`: an updated page counts by the importance of its change, not as one. */
  constructor({ weighted = false }: { readonly weighted?: boolean } = {}) {
    this.#weighted = weighted;
  }

  get versions(): number {
    return this.#versions;
  }

  /** M = n − 1. */
  get transitions(): number {
    return this.#columns.length;
  }

  add(pages: Iterable<VersionPage>): VersionCounts {
    const { result, counts } = this.#differ.next(pages);
    this.#versions++;
    // The first version is where the history begins, no change.
    if (this.#versions > 1) {
      const { nodes, changed, weight } = result;
      const amount = this.#weighted ? weight : changed;
      this.#columns.push(
        Float64Array.from(nodes, (all, id) => (all === 0 ? 0 : (amount[id] as number) / all)),
      );
    }
    return counts;
  }

  /** Def. 1: changed nodes ÷ nodes of the consolidated subtree; 0 where it was in neither version. */
  degreeOfChange(directory: number, transition: number): number {
    return this.#columns[transition]?.[directory] ?? 0;
  }

  /** A bitmap per directory: in which of the transitions [from, to) its degree of change was at least α. */
  bitmaps(alpha: number, from = 0, to = this.transitions): Bitmaps {
    const bitmaps = new Bitmaps(this.tree.size, to - from);
    for (let transition = from; transition < to; transition++) {
      const column = this.#columns[transition] as Float64Array;
      for (let id = 0; id < column.length; id++)
        if ((column[id] as number) >= alpha) bitmaps.set(id, transition - from);
    }
    return bitmaps;
  }
}

/** Rows of bits in 32-bit words: AND and count are a few instructions per word; BigInt takes four times as long. */
export class Bitmaps {
  readonly length: number;
  readonly words: number;
  readonly #bits: Uint32Array;

  constructor(rows: number, length: number) {
    this.length = length;
    this.words = Math.max(1, Math.ceil(length / 32));
    this.#bits = new Uint32Array(rows * this.words);
  }

  set(row: number, bit: number): void {
    const at = row * this.words + (bit >>> 5);
    this.#bits[at] = (this.#bits[at] as number) | (1 << (bit & 31));
  }

  row(row: number): Uint32Array {
    return this.#bits.subarray(row * this.words, (row + 1) * this.words);
  }

  count(row: number): number {
    let count = 0;
    for (const word of this.row(row)) count += popcount(word);
    return count;
  }
}

/** Writes a AND b to `to`; gives the number of bits left. */
export function intersect(a: Uint32Array, b: Uint32Array, to: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) {
    const word = (a[i] as number) & (b[i] as number);
    to[i] = word;
    count += popcount(word);
  }
  return count;
}

function popcount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
