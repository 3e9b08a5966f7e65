/**
 * L. Chen, S. S. Bhowmick, W. Nejdl: NEAR-Miner: Mining Evolution Associations of Web Site Directories for Efficient
 * Maintenance of Web Archives. PVLDB 2(1), 2009. § 4.1, Algorithm 2, Def. 11: the General Delta Tree.
 *
 * Idea: all directories that any version had, in one tree, each with its degree of change in every transition.
 *
 *   S^t_i, n     the versions, their number        `add`, `versions`
 *   n − 1        transitions between them           `transitions`
 *   DoC          Def. 1                             `degreeOfChange`
 *   α, bitmap    in which transitions DoC ≥ α       `markSignificant`
 *
 * Departures. It holds degrees, not bits: another α needs no second reading of the versions. Pages are not nodes of their
 * own: no rule is about a page. A new version is one more column, nothing is merged again. Optionally an updated page counts
 * by the importance of its change, which the paper leaves to future work.
 *
 * DoC ≥ α is exact although both are floating-point numbers: a quotient of integers is rounded correctly, as is a decimal
 * threshold, so equal values stay equal; and a quotient below α differs from it by at least 1/(nodes · denominator of α),
 * which rounding (2^−53) cannot close for thresholds of up to nine decimals and trees of a million nodes.
 *
 * Cost: time and memory of a version are linear in its pages and the directories known so far.
 */
import type { Bitmaps } from './bitmaps.ts';
import { DirectoryTree } from './directory-tree.ts';
import { type ResultTree, type VersionCounts, VersionDiffer, type VersionPage } from './wd-diff.ts';

/** Transitions [from, to); all unless given. */
export interface Window {
  readonly from?: number;
  readonly to?: number;
}

export class DeltaTree {
  readonly tree: DirectoryTree;
  readonly #differ: VersionDiffer;
  readonly #weighted: boolean;
  readonly #columns: Float64Array[] = [];
  #versions = 0;

  /** `weighted`: an updated page counts by the importance of its change, not as one. `tree`: one shared with others, who also number it. */
  constructor({
    weighted = false,
    tree = new DirectoryTree(),
  }: { readonly weighted?: boolean; readonly tree?: DirectoryTree } = {}) {
    this.tree = tree;
    this.#differ = new VersionDiffer(tree);
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
    // The first version is where the history begins, not a change.
    if (this.#versions > 1) this.push(result);
    return counts;
  }

  /** Adds a transition that was compared elsewhere. */
  push({ nodes, changed, weight }: ResultTree): void {
    const amount = this.#weighted ? weight : changed;
    const column = new Float64Array(nodes.length);
    for (let id = 0; id < column.length; id++)
      if (nodes[id] !== 0) column[id] = (amount[id] as number) / (nodes[id] as number);
    this.#columns.push(column);
  }

  /** Def. 1: changed nodes ÷ nodes of the consolidated subtree; 0 where it was in neither version. */
  degreeOfChange(directory: number, transition: number): number {
    return this.#columns[transition]?.[directory] ?? 0;
  }

  /** Adds what the bitmaps lack of the window: a bit per directory and transition, set where DoC ≥ α. */
  markSignificant(bitmaps: Bitmaps, alpha: number, { from = 0, to = this.transitions }: Window = {}): void {
    const first = bitmaps.length;
    const columns = this.#columns.slice(from + first, to);
    bitmaps.grow(this.tree.size, first + columns.length);
    for (const [k, column] of columns.entries())
      for (let id = 0; id < column.length; id++)
        if ((column[id] as number) >= alpha) bitmaps.set(id, first + k);
  }
}
