import type { ElementKind, ElementOfKind } from '../../../model/delta.ts';
import type { Block } from '../../../model/layout.ts';
import { listOf } from './element-outcome.ts';

/** Number of keys counted by scanning the page; from then on it pays to index all of it. */
const LOOKS = 6;

/** How often a page holds elements of one kind with a given key. */
export class Copies<K extends ElementKind> {
  readonly #kind: K;
  readonly #blocks: readonly Block[];
  readonly #keyOf: (value: ElementOfKind[K]) => string | undefined;
  readonly #known = new Map<string, number>();
  #all: Map<string, number> | undefined;

  constructor(kind: K, blocks: readonly Block[], keyOf: (value: ElementOfKind[K]) => string | undefined) {
    this.#kind = kind;
    this.#blocks = blocks;
    this.#keyOf = keyOf;
  }

  count(key: string): number {
    if (this.#all) return this.#all.get(key) ?? 0;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size === LOOKS) {
      this.#all = this.#countAll();
      return this.#all.get(key) ?? 0;
    }
    let count = 0;
    for (const block of this.#blocks) {
      for (const value of listOf(block, this.#kind)) if (this.#keyOf(value) === key) count++;
    }
    this.#known.set(key, count);
    return count;
  }

  #countAll(): Map<string, number> {
    const all = new Map<string, number>();
    for (const block of this.#blocks) {
      for (const value of listOf(block, this.#kind)) {
        const key = this.#keyOf(value);
        if (key !== undefined) all.set(key, (all.get(key) ?? 0) + 1);
      }
    }
    return all;
  }
}
