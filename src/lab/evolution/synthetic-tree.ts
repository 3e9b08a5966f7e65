/**
 * Versions of an invented directory tree, as in NEAR-Miner (2009, § 6.3): N nodes, fan-out F, depth D, and the share C of
 * pages that change from one version to the next.
 *
 * The paper says no more. Here: directories differ in size, F being the mean, and change as a whole, since rules need both. A
 * share C of them is lively, changing in every second version, odd or even, and every second directory below a lively one is
 * lively too; so some change only while those above them do not. The others change now and then, at random. One in ten
 * changed pages disappears or returns, the others are updated.
 */
import type { VersionPage } from '../../science/evolution/wd-diff.ts';
import { stream } from '../newspaper/random.ts';

export interface SyntheticTree {
  /** N: number of pages and directories. */
  readonly nodes: number;
  /** F. */
  readonly fanOut: number;
  /** D: number of directory levels. */
  readonly depth: number;
  /** C, in [0, 1]. */
  readonly change: number;
  readonly seed: number;
}

interface Directory {
  readonly path: string;
  /** Index range of its pages: [from, to). */
  readonly from: number;
  readonly to: number;
  /** Changes in versions with this remainder modulo 2; undefined: at random. */
  readonly lively: number | undefined;
}

export class SyntheticSite {
  readonly #directories: Directory[] = [];
  readonly #pages: VersionPage[] = [];
  readonly #isThere: Uint8Array;
  readonly #change: number;
  readonly #random: ReturnType<typeof stream>;
  #version = 0;

  constructor({ nodes, fanOut, depth, change, seed }: SyntheticTree) {
    const random = stream('synthetic tree', seed);
    this.#random = random;
    this.#change = change;
    const count = Math.max(1, Math.round(nodes / fanOut));
    const branches = Math.max(1, Math.ceil(count ** (1 / depth)));
    for (let id = 0; id < count; id++) {
      const parent = id === 0 ? undefined : this.#directories[Math.floor((id - 1) / branches)];
      const from = this.#pages.length;
      // The mean of 3 u² is 1. Each later directory gets at least one page, and the last takes what is left.
      const most = nodes - count - from - (count - 1 - id);
      const size = id === count - 1 ? most : Math.round(3 * random.next() ** 2 * (fanOut - 1));
      const to = from + Math.min(most, Math.max(1, size));
      const path = parent ? `${parent.path}d${id}/` : '/';
      for (let p = from; p < to; p++) this.#pages.push({ url: `${path}p${p}`, digest: '0' });
      const isLively = random.chance(parent?.lively === undefined ? change : 0.5);
      this.#directories.push({ path, from, to, lively: isLively ? random.int(2) : undefined });
    }
    this.#isThere = new Uint8Array(this.#pages.length).fill(1);
  }

  /** The pages of the current version. */
  pages(): VersionPage[] {
    return this.#pages.filter((_, p) => this.#isThere[p] === 1);
  }

  /** Makes the next version. */
  advance(): void {
    this.#version++;
    const digest = String(this.#version);
    for (const { from, to, lively } of this.#directories) {
      const changes =
        lively === undefined ? this.#random.chance(this.#change / 2) : this.#version % 2 === lively;
      for (let p = from; changes && p < to; p++) {
        if (this.#random.chance(0.1)) this.#isThere[p] = this.#isThere[p] === 1 ? 0 : 1;
        else this.#pages[p] = { url: (this.#pages[p] as VersionPage).url, digest };
      }
    }
  }
}
