/** Where records come from that are in no file of the folder. */
export interface RecordSource {
  /** Fewer bytes if the file ends earlier. */
  range(file: string, offset: number, length: number): Promise<Buffer>;
  /** The path of a whole copy. */
  whole(file: string): Promise<string>;
}

/** Bytes per request: what a page needs is close together, and a request costs more than its bytes. */
const BLOCK = 256 << 10;
/** Blocks kept, the most recently used ones: 64 MB. */
const KEPT = 256;
/** Larger records are read separately, and not kept. */
const LARGEST = 4 * BLOCK;

/** Ranges of remote files, in blocks; concurrent reads of a block share one fetch. Committed records never move, so no block goes stale. */
export class RangeCache {
  readonly #source: Pick<RecordSource, 'range'>;
  readonly #blocks = new Map<string, Promise<Buffer>>();

  constructor(source: Pick<RecordSource, 'range'>) {
    this.#source = source;
  }

  async read(file: string, offset: number, length: number): Promise<Buffer> {
    if (length > LARGEST) return this.#source.range(file, offset, length);
    const first = Math.floor(offset / BLOCK);
    const last = Math.floor((offset + Math.max(1, length) - 1) / BLOCK);
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const blocks = await Promise.all(numbers.map((number) => this.#block(file, number)));
    const from = offset - first * BLOCK;
    return Buffer.concat(blocks).subarray(from, from + length);
  }

  #block(file: string, number: number): Promise<Buffer> {
    const key = `${number} ${file}`;
    const known = this.#blocks.get(key);
    const block = known ?? this.#source.range(file, number * BLOCK, BLOCK);
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    if (known) return block;
    // A failed block is requested again.
    block.catch(() => this.#blocks.delete(key));
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > KEPT && oldest !== undefined) this.#blocks.delete(oldest);
    return block;
  }
}
