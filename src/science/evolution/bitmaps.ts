import { GrowingIntegers } from './growing-integers.ts';

/**
 * Rows of bits in 32-bit words: AND and count take a few instructions per word; BigInt takes four times as long. Rows and
 * columns can be added; new bits are 0.
 */
export class Bitmaps {
  #length = 0;
  /** Words of a row in use, and words there is room for. */
  #words = 1;
  #stride = 1;
  #bits = new Uint32Array(64);
  readonly #counts = new GrowingIntegers();

  /** Number of columns. */
  get length(): number {
    return this.#length;
  }

  grow(rows: number, length: number): void {
    const words = Math.max(1, Math.ceil(length / 32));
    const stride = words > this.#stride ? Math.max(words, 2 * this.#stride) : this.#stride;
    if (stride !== this.#stride || rows * stride > this.#bits.length) {
      const before = this.#bits;
      this.#bits = new Uint32Array(Math.max(rows * stride, before.length));
      if (stride === this.#stride) this.#bits.set(before);
      else
        for (let row = 0; row * this.#stride < before.length && row < rows; row++)
          this.#bits.set(before.subarray(row * this.#stride, (row + 1) * this.#stride), row * stride);
    }
    this.#stride = stride;
    this.#words = words;
    this.#length = length;
    this.#counts.reserve(rows);
  }

  set(row: number, bit: number): void {
    const at = row * this.#stride + (bit >>> 5);
    const word = this.#bits[at] as number;
    const withBit = word | (1 << (bit & 31));
    if (withBit >>> 0 === word) return;
    this.#bits[at] = withBit;
    const counts = this.#counts.values;
    counts[row] = (counts[row] as number) + 1;
  }

  row(row: number): Uint32Array {
    return this.#bits.subarray(row * this.#stride, row * this.#stride + this.#words);
  }

  /** A copy of the counts of all rows, including room for rows not added yet. */
  counts(): Int32Array {
    return this.#counts.values.slice();
  }

  /** Bits set in this row. */
  count(row: number): number {
    return this.#counts.values[row] as number;
  }

  /** Number of bits set both in `bits` and in this row. */
  together(bits: Uint32Array, row: number): number {
    const from = row * this.#stride;
    let count = 0;
    for (let i = 0; i < bits.length; i++)
      count += popcount((bits[i] as number) & (this.#bits[from + i] as number));
    return count;
  }

  /** `bits` AND this row. */
  intersection(bits: Uint32Array, row: number): Uint32Array {
    const from = row * this.#stride;
    return Uint32Array.from(bits, (word, i) => word & (this.#bits[from + i] as number));
  }
}

function popcount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
