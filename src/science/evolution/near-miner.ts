/**
 * L. Chen, S. S. Bhowmick, W. Nejdl: NEAR-Miner: Mining Evolution Associations of Web Site Directories for Efficient
 * Maintenance of Web Archives. PVLDB 2(1), 2009. § 4.2, Algorithm 3: rule generation.
 *
 * Idea: negative evolution association rules s1 s2 … sk ⇒ ¬s(k+1). When the directories of the head change significantly
 * together, the one below them does not. Rules with the same first directory are one partition; each partition is found by
 * one search below that directory.
 *
 *   α, β, γ, θ           thresholds                    `MiningThresholds`
 *   GDT                  the General Delta Tree        `DeltaTree`
 *   CP, CP.bitmap        the pattern grown so far      `Pattern` (partition-search.ts)
 *   Γ                    the rules                     `NegativeRule[]`
 *   Rule_Gen             all partitions                `NearMiner.update`
 *   Specific_Rule_Gen    one of them                   `PartitionSearch`
 *
 * Readings of the pseudo-code, settled against the literal definitions on random histories (near-miner.test.ts): CP belongs
 * to its branch, siblings do not share it; below a directory that neither extends CP nor makes a rule the search continues
 * with the same CP (Def. 5 allows skipping levels); below the tail of a rule it ends. So no rule is found that another rule
 * or pattern subsumes (Def. 8 to 10). If γ is not given, it ends at 0.3, as in the text; the printed loop ends at .35.
 *
 * Departures. Subtrees in which no directory changed often enough to extend CP or to end a rule are passed over. If γ
 * is not given, the first search also finds the next γ that has a rule, so there are two searches at most, not five. And
 * mining is incremental (the paper mines again after several versions, § 6.2): `update` takes in new transitions and
 * searches only those partitions in whose subtree a directory changed significantly. In the others all counts are
 * unchanged and only M has grown, so
 *   - FoC falls: no new pattern arises, and the old ones last while the rarest still has β M transitions;
 *   - φ rises (its numerator M f11 − f1+ f+1 does, and its denominator while that is negative): no new rule arises,
 *     and the old ones last while their φ is ≤ −γ. Where φ was undefined because one side had changed in all transitions,
 *     f11 is all of the other side, and φ comes out positive;
 *   - confidence does not depend on M; and without new rules the automatic γ stays.
 *
 * Cost: O(directories × depth) bitmap operations from scratch; for an update O(directories + rules), plus its searches.
 */
import { Bitmaps } from './bitmaps.ts';
import type { DeltaTree, Window } from './delta-tree.ts';
import type { DirectoryTree } from './directory-tree.ts';
import { type ChangeCounts, confidence, correlationOfChange } from './evolution-metrics.ts';
import { type Partition, PartitionSearch } from './partition-search.ts';

export interface MiningThresholds {
  /** α, above 0: smallest degree of change that is significant. */
  readonly alpha: number;
  /** β: how often the directories of a pattern must change together. */
  readonly beta: number;
  /** γ: how negative the correlation must be; absent: 0.5, lowered in steps of 0.05 to 0.3 while a directory has no rule. */
  readonly gamma?: number | undefined;
  /** θ. */
  readonly theta: number;
  /** Also accept rules whose correlation is undefined because the tail never changed, or the head always did. Not in the paper. */
  readonly relaxed?: boolean;
}

/** X ⇒ ¬y, by directory numbers, the head from the top down. */
export interface NegativeRule {
  readonly head: readonly number[];
  readonly tail: number;
  readonly counts: ChangeCounts;
  /** Undefined in relaxed rules only. */
  readonly correlation: number | undefined;
  readonly confidence: number;
}

/** All rules of the tree, by first directory of their head. */
export function mineRules(
  deltas: DeltaTree,
  thresholds: MiningThresholds,
  window: Window = {},
): NegativeRule[] {
  const miner = new NearMiner(deltas, thresholds, window);
  miner.update();
  return miner.rules();
}

/** The rules of a growing history. */
export class NearMiner {
  readonly #deltas: DeltaTree;
  readonly #thresholds: MiningThresholds;
  readonly #window: Window;
  readonly #bitmaps = new Bitmaps();
  /** By first directory, where that changes often enough. */
  readonly #partitions = new Map<number, Partition>();

  constructor(deltas: DeltaTree, thresholds: MiningThresholds, window: Window = {}) {
    this.#deltas = deltas;
    this.#thresholds = thresholds;
    this.#window = window;
  }

  /** Takes in the transitions since the last call; returns the number of partitions searched. */
  update(): number {
    const { tree } = this.#deltas;
    const bitmaps = this.#bitmaps;
    const length = bitmaps.length;
    const counts = bitmaps.counts();
    this.#deltas.markSignificant(bitmaps, this.#thresholds.alpha, this.#window);
    if (bitmaps.length === length) return 0;
    const isTouched = new Uint8Array(tree.size);
    for (let id = 0; id < tree.size; id++) if (bitmaps.count(id) !== (counts[id] ?? 0)) isTouched[id] = 1;
    spreadUp(tree, isTouched);
    const search = new PartitionSearch(tree, bitmaps, this.#thresholds);
    let searched = 0;
    for (let start = 0; start < tree.size; start++) {
      const partition = this.#partitions.get(start);
      if (isTouched[start] === 0 && (partition === undefined || search.stillHolds(partition))) continue;
      searched++;
      const found = search.from(start);
      if (found) this.#partitions.set(start, found);
      else this.#partitions.delete(start);
    }
    return searched;
  }

  rules(): NegativeRule[] {
    const transitions = this.#bitmaps.length;
    const starts = [...this.#partitions.keys()].sort((a, b) => a - b);
    return starts.flatMap((start) =>
      (this.#partitions.get(start) as Partition).rules.map(({ head, tail, counts: counted }) => {
        const counts = { transitions, ...counted };
        return {
          head,
          tail,
          counts,
          correlation: correlationOfChange(counts),
          confidence: confidence(counts),
        };
      }),
    );
  }
}

/** Marks all ancestors of what is marked. */
function spreadUp(tree: DirectoryTree, isMarked: Uint8Array): void {
  for (let id = tree.size - 1; id > 0; id--) if (isMarked[id] === 1) isMarked[tree.parent(id)] = 1;
}
