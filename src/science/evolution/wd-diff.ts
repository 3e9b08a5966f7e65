/**
 * L. Chen, S. S. Bhowmick, W. Nejdl: NEAR-Miner: Mining Evolution Associations of Web Site Directories for Efficient
 * Maintenance of Web Archives. PVLDB 2(1), 2009. § 3.2, § 4.1: WD-Diff.
 *
 * Idea: what was inserted, deleted and updated between two successive versions of a directory tree, and for every directory
 * how many nodes of its consolidated subtree were. Siblings never share a label, so nodes match by path.
 *
 *   S1 ⊎ S2          the consolidated tree               `ResultTree.nodes`
 *   D(S1, S2)        the edit distance of a subtree       `ResultTree.changed`
 *   INS, DEL, UPD    edit operations                      `PageChanges`
 *
 * Departures. X-Diff's matching is not needed, nor are children sorted: a page is found by its address in a hash table. A
 * directory exists as long as it holds a page; when it appears or vanishes, it is itself a changed node (Def. 1: a new or removed
 * subtree has degree 1).
 *
 * Cost: O(pages + directories) per version, where the paper's takes O(|S| log |S|).
 */
import type { DirectoryTree } from './directory-tree.ts';
import { GrowingIntegers } from './growing-integers.ts';
import { sitePath } from './site-path.ts';

/** A page of a version: its URL or path, and a name for its content. */
export interface VersionPage {
  readonly url: string;
  readonly digest: string;
  /** How much its change since the previous version matters, in [0, 1]; 1 where unknown. */
  readonly importance?: number;
}

/** Per directory of the tree, over the whole subtree: nodes of S1 ⊎ S2, and those inserted, deleted or updated. */
export interface ResultTree {
  readonly nodes: Int32Array;
  readonly changed: Int32Array;
  /** Like `changed`, with each updated page weighted by its importance. */
  readonly weight: Float64Array;
}

export interface VersionCounts {
  readonly pages: number;
  readonly inserted: number;
  readonly deleted: number;
  readonly updated: number;
  /** Rows that name a page again; the first one counts. */
  readonly repeated: number;
}

/** Pages by number: `VersionDiffer.directoryOf` tells which directory they are in. */
export interface PageChanges {
  readonly inserted: readonly number[];
  readonly deleted: readonly number[];
  readonly stayed: readonly number[];
  readonly updated: readonly (readonly [page: number, importance: number])[];
}

export interface VersionDifference {
  readonly result: ResultTree;
  readonly changes: PageChanges;
  readonly counts: VersionCounts;
}

const NONE: ReadonlySet<number> = new Set();

/** Holds the last version of a site, and compares it with the next. */
export class VersionDiffer {
  readonly #tree: DirectoryTree;
  /** By path of the page, and by its URL as given: its number. Pages keep theirs when they vanish and come back. */
  readonly #pages = new Map<string, number>();
  readonly #directoryOf = new GrowingIntegers();
  readonly #digests: (string | undefined)[] = [];
  readonly #seenIn = new GrowingIntegers();
  #version = 0;

  constructor(tree: DirectoryTree) {
    this.#tree = tree;
  }

  /**
   * Takes in the next version; returns the result tree against the previous one, which is empty for the first. Pages directly in
   * an `unseen` directory that the version does not name stay as they were.
   */
  next(pages: Iterable<VersionPage>, unseen: ReadonlySet<number> = NONE): VersionDifference {
    const version = ++this.#version;
    const inserted: number[] = [];
    const updated: [page: number, importance: number][] = [];
    const before = this.#digests.length;
    const wasThere = (page: number): boolean => page < before && this.#digests[page] !== undefined;
    const digests = new Map<number, string>();
    let repeated = 0;
    for (const { url, digest, importance = 1 } of pages) {
      const page = this.#idOf(url);
      const seenIn = this.#seenIn.values;
      if (seenIn[page] === version) {
        repeated++;
        continue;
      }
      seenIn[page] = version;
      if (!wasThere(page)) inserted.push(page);
      else if (this.#digests[page] !== digest) updated.push([page, importance]);
      else continue;
      digests.set(page, digest);
    }
    const deleted: number[] = [];
    const stayed: number[] = [];
    for (let page = 0; page < this.#digests.length; page++) {
      const isSeen = this.#seenIn.values[page] === version;
      if (isSeen ? wasThere(page) : wasThere(page) && unseen.has(this.directoryOf(page))) stayed.push(page);
      else if (!isSeen && this.#digests[page] !== undefined) deleted.push(page);
    }
    const changes = { inserted, deleted, stayed, updated };
    const result = this.#resultTree(changes);
    for (const [page, digest] of digests) this.#digests[page] = digest;
    for (const page of deleted) this.#digests[page] = undefined;
    const [ins, del, upd] = [inserted.length, deleted.length, updated.length];
    return {
      result,
      changes,
      counts: { pages: stayed.length + ins, inserted: ins, deleted: del, updated: upd, repeated },
    };
  }

  find(url: string): number | undefined {
    const known = this.#pages.get(url);
    if (known !== undefined) return known;
    const { directory, page } = sitePath(url);
    return this.#pages.get(directory + page);
  }

  /** Undefined where the page is not in the last version. */
  digestOf(page: number): string | undefined {
    return this.#digests[page];
  }

  directoryOf(page: number): number {
    return this.#directoryOf.values[page] as number;
  }

  #idOf(url: string): number {
    const known = this.#pages.get(url);
    if (known !== undefined) return known;
    const { directory, page } = sitePath(url);
    const path = directory + page;
    const same = this.#pages.get(path);
    if (same !== undefined) {
      this.#pages.set(url, same);
      return same;
    }
    const id = this.#digests.length;
    this.#pages.set(path, id).set(url, id);
    this.#digests.push(undefined);
    this.#directoryOf.reserve(id + 1)[id] = this.#tree.idOf(directory);
    this.#seenIn.reserve(id + 1)[id] = 0;
    return id;
  }

  #resultTree({ inserted, deleted, stayed, updated }: PageChanges): ResultTree {
    const { size } = this.#tree;
    const nodes = new Int32Array(size);
    const changed = new Int32Array(size);
    const weight = new Float64Array(size);
    // Pages of the subtree before and after: a directory exists as long as it holds one.
    const [old, now] = [new Int32Array(size), new Int32Array(size)];
    const directoryOf = this.#directoryOf.values;
    const count = (counts: Int32Array | Float64Array, page: number, by = 1): void => {
      const directory = directoryOf[page] as number;
      counts[directory] = (counts[directory] as number) + by;
    };
    for (const page of stayed) {
      count(nodes, page);
      count(old, page);
      count(now, page);
    }
    for (const [pages, side] of [[inserted, now] as const, [deleted, old] as const]) {
      for (const page of pages) {
        count(nodes, page);
        count(side, page);
        count(changed, page);
        count(weight, page);
      }
    }
    for (const [page, importance] of updated) {
      count(changed, page);
      count(weight, page, importance);
    }
    for (let id = size - 1; id >= 0; id--) {
      const [wasHere, isHere] = [(old[id] as number) > 0, (now[id] as number) > 0];
      if (wasHere || isHere) nodes[id] = (nodes[id] as number) + 1;
      if (wasHere !== isHere) {
        changed[id] = (changed[id] as number) + 1;
        weight[id] = (weight[id] as number) + 1;
      }
      const parent = this.#tree.parent(id);
      if (parent < 0) continue;
      for (const counts of [nodes, changed, weight, old, now])
        counts[parent] = (counts[parent] as number) + (counts[id] as number);
    }
    return { nodes, changed, weight };
  }
}
