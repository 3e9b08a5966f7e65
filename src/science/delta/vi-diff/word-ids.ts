import { wordsOf } from './text-distance.ts';

/**
 * The words of two pages' texts as numbers: each word is hashed once, however many comparisons its text is in, and
 * distances are counted in an array.
 */
export class WordIds {
  readonly #ids = new Map<string, number>();
  #counts = new Int32Array(1024);

  idsOf(text: string): Int32Array {
    const words = wordsOf(text);
    const ids = new Int32Array(words.length);
    words.forEach((word, i) => {
      ids[i] = this.#idOf(word);
    });
    return ids;
  }

  #idOf(word: string): number {
    const known = this.#ids.get(word);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(word, id);
    return id;
  }

  /** `wordDistance` of the words. */
  distance(a: Int32Array, b: Int32Array): number {
    if (a.length + b.length === 0) return 0;
    if (this.#counts.length < this.#ids.size) this.#counts = new Int32Array(2 * this.#ids.size);
    const counts = this.#counts;
    for (const id of a) counts[id] = (counts[id] as number) + 1;
    let shared = 0;
    for (const id of b) {
      const left = counts[id] as number;
      if (left === 0) continue;
      counts[id] = left - 1;
      shared++;
    }
    for (const id of a) counts[id] = 0;
    return 1 - (2 * shared) / (a.length + b.length);
  }
}
