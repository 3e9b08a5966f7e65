/**
 * Specific_Rule_Gen (NEAR-Miner 2009, Algorithm 3, lines 13 to 23): the rules whose head begins with one directory. Readings
 * and departures: near-miner.ts.
 */
import type { Bitmaps } from './bitmaps.ts';
import type { DirectoryTree } from './directory-tree.ts';
import { type ChangeCounts, confidence, fewestChanges, isNegative } from './evolution-metrics.ts';
import type { MiningThresholds } from './near-miner.ts';

/** A rule without M, which grows while the rest stays. */
export interface FoundRule {
  readonly head: readonly number[];
  readonly tail: number;
  readonly counts: Omit<ChangeCounts, 'transitions'>;
}

/** What was found below one first directory. */
export interface Partition {
  readonly rules: readonly FoundRule[];
  /** γ with which they were found. */
  readonly gamma: number;
  /** Number of transitions of the rarest pattern on the way. */
  readonly rarest: number;
}

/** CP, with CP.bitmap. */
interface Pattern {
  readonly last: number;
  readonly rest: Pattern | undefined;
  readonly bits: Uint32Array;
  /** Number of bits set. */
  readonly changed: number;
}

interface Visit {
  readonly directory: number;
  readonly pattern: Pattern;
}

/** γ in twentieths, as integers: 0.5 − 0.05 − 0.05 … is not 0.3 in floating point. */
const AUTOMATIC = [10, 9, 8, 7, 6] as const;
const TWENTIETHS = 20;

export class PartitionSearch {
  readonly #tree: DirectoryTree;
  readonly #bitmaps: Bitmaps;
  readonly #thresholds: MiningThresholds;
  /** β M. */
  readonly #frequent: number;
  /** By directory: the largest number of changes of any directory in its subtree. */
  readonly #mostBelow: Int32Array;
  readonly #fewestOfTail = new Map<number, number>();

  constructor(tree: DirectoryTree, bitmaps: Bitmaps, thresholds: MiningThresholds) {
    this.#tree = tree;
    this.#bitmaps = bitmaps;
    this.#thresholds = thresholds;
    this.#frequent = fewestChanges(thresholds.beta, bitmaps.length);
    this.#mostBelow = Int32Array.from({ length: tree.size }, (_, id) => bitmaps.count(id));
    for (let id = tree.size - 1; id > 0; id--) {
      const parent = tree.parent(id);
      const most = this.#mostBelow[id] as number;
      if (most > (this.#mostBelow[parent] as number)) this.#mostBelow[parent] = most;
    }
  }

  /** Whether a partition in whose subtree nothing changed is unchanged, although M has grown. */
  stillHolds({ rules, gamma, rarest }: Partition): boolean {
    const transitions = this.#bitmaps.length;
    if (rarest < this.#frequent) return false;
    return rules.every(({ counts }) => this.#isNegative({ transitions, ...counts }, gamma));
  }

  /** Undefined where the directory is not itself a pattern. */
  from(start: number): Partition | undefined {
    const changed = this.#bitmaps.count(start);
    if (this.#bitmaps.length === 0 || changed < this.#frequent) return undefined;
    const pattern = { last: start, rest: undefined, bits: this.#bitmaps.row(start), changed };
    const { gamma } = this.#thresholds;
    if (gamma !== undefined) return this.#search(pattern, gamma, []);
    const [first, ...lower] = AUTOMATIC;
    const found = this.#search(pattern, first / TWENTIETHS, lower);
    return found.nextGamma === undefined ? found : this.#search(pattern, found.nextGamma / TWENTIETHS, []);
  }

  /** `lower`: further values of γ, in twentieths. If there are no rules, `nextGamma` is the first of them that gives one. */
  #search(
    start: Pattern,
    gamma: number,
    lower: readonly number[],
  ): Partition & { readonly nextGamma?: number | undefined } {
    const transitions = this.#bitmaps.length;
    const rules: FoundRule[] = [];
    let rarest = start.changed;
    let next = lower.length;
    // A stack, not recursion: a trap can make trees hundreds of levels deep.
    const open: Visit[] = [{ directory: start.last, pattern: start }];
    for (let visit = open.pop(); visit; visit = open.pop()) {
      const { pattern } = visit;
      const enough = Math.min(this.#frequent, this.#fewestChangesOfTail(pattern.changed));
      for (const directory of this.#tree.children(visit.directory)) {
        if ((this.#mostBelow[directory] as number) < enough) continue;
        const both = this.#bitmaps.together(pattern.bits, directory);
        if (both >= this.#frequent) {
          rarest = Math.min(rarest, both);
          const bits = this.#bitmaps.intersection(pattern.bits, directory);
          open.push({ directory, pattern: { last: directory, rest: pattern, bits, changed: both } });
          continue;
        }
        const counts = { head: pattern.changed, tail: this.#bitmaps.count(directory), both };
        const all = { transitions, ...counts };
        if (confidence(all) >= this.#thresholds.theta) {
          if (this.#isNegative(all, gamma)) {
            rules.push({ head: directoriesOf(pattern), tail: directory, counts });
            continue;
          }
          while (next > 0 && this.#isNegative(all, (lower[next - 1] as number) / TWENTIETHS)) next--;
        }
        open.push({ directory, pattern });
      }
    }
    return { rules, gamma, rarest, nextGamma: rules.length > 0 ? undefined : lower[next] };
  }

  #isNegative(counts: ChangeCounts, gamma: number): boolean {
    const { transitions: m, head, tail } = counts;
    if (this.#thresholds.relaxed && (head === m || tail === 0 || tail === m)) return true;
    return isNegative(counts, gamma);
  }

  /** With fewer changes than this, φ is above −γ for every γ that may be asked for, even if head and tail never coincide. */
  #fewestChangesOfTail(head: number): number {
    const { gamma = Math.min(...AUTOMATIC) / TWENTIETHS, relaxed } = this.#thresholds;
    if (relaxed) return 0;
    const known = this.#fewestOfTail.get(head);
    if (known !== undefined) return known;
    const transitions = this.#bitmaps.length;
    let tail = 1;
    while (tail <= transitions - head && !isNegative({ transitions, head, tail, both: 0 }, gamma)) tail++;
    this.#fewestOfTail.set(head, tail);
    return tail;
  }
}

function directoriesOf(pattern: Pattern): number[] {
  const directories: number[] = [];
  for (let at: Pattern | undefined = pattern; at; at = at.rest) directories.unshift(at.last);
  return directories;
}
