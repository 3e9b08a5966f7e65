import { type Bitmaps, type DeltaTree, intersect } from './delta-tree.ts';
import {
  type ChangeCounts,
  confidence,
  correlationOfChange,
  frequencyOfChange,
} from './evolution-metrics.ts';

/**
 * NEAR-Miner, phase II (2009, Algorithm 3): negative evolution association rules s1 s2 … sk ⇒ ¬s(k+1). When the
 * directories of the head change significantly together, the one below them does not.
 *
 * Readings of the pseudo-code, settled against the literal definitions on random histories (near-miner.test.ts): the
 * pattern grown so far belongs to its branch, siblings do not share it; below a directory that neither extends the
 * pattern nor makes a rule the search goes on with the same pattern (Def. 5 allows to skip levels); below the tail of
 * a rule it ends. So no rule is found that another rule or pattern subsumes (Def. 8 to 10).
 */
export interface MiningThresholds {
  /** α: from which degree of change on a change is significant. */
  readonly alpha: number;
  /** β: how often a pattern must change together. */
  readonly beta: number;
  /** γ: how negative the correlation must be; absent: 0.5, lowered in steps of 0.05 to 0.3 while a directory has no rule. */
  readonly gamma?: number;
  /** θ. */
  readonly theta: number;
  /** Also where the correlation is undefined because the tail never changed, or the head always did. Not in the paper. */
  readonly relaxed?: boolean;
}

/** X ⇒ ¬y, by numbers of directories, the head from the top down. */
export interface NegativeRule {
  readonly head: readonly number[];
  readonly tail: number;
  readonly counts: ChangeCounts;
  /** Undefined in relaxed rules only. */
  readonly correlation: number | undefined;
  readonly confidence: number;
}

/** γ in twentieths, as integers: 0.5 − 0.05 − 0.05 … is not 0.3 in floating point. */
const AUTOMATIC = [10, 9, 8, 7, 6] as const;

/** All rules of the tree, by first directory of their head. `from` and `to` choose transitions. */
export function mineRules(
  deltas: DeltaTree,
  thresholds: MiningThresholds,
  { from = 0, to = deltas.transitions }: { readonly from?: number; readonly to?: number } = {},
): NegativeRule[] {
  const bitmaps = deltas.bitmaps(thresholds.alpha, from, to);
  const rules: NegativeRule[] = [];
  for (let start = 0; start < deltas.tree.size; start++)
    rules.push(...rulesFrom(start, deltas, bitmaps, thresholds));
  return rules;
}

/** The partition of the rules whose head begins with `start`: Specific_Rule_Gen. */
export function rulesFrom(
  start: number,
  deltas: DeltaTree,
  bitmaps: Bitmaps,
  thresholds: MiningThresholds,
): NegativeRule[] {
  const { beta, gamma } = thresholds;
  if (bitmaps.length === 0 || frequencyOfChange(bitmaps.count(start), bitmaps.length) < beta) return [];
  if (deltas.tree.children(start).length === 0) return [];
  if (gamma !== undefined) return search(start, deltas, bitmaps, { ...thresholds, gamma });
  for (const twentieths of AUTOMATIC) {
    const rules = search(start, deltas, bitmaps, { ...thresholds, gamma: twentieths / 20 });
    if (rules.length > 0) return rules;
  }
  return [];
}

interface Step {
  readonly directory: number;
  readonly pattern: readonly number[];
  /** Transitions in which the whole pattern changed, and their number. */
  readonly bits: Uint32Array;
  readonly changed: number;
}

function search(
  start: number,
  { tree }: DeltaTree,
  bitmaps: Bitmaps,
  thresholds: Required<Omit<MiningThresholds, 'relaxed'>> & Pick<MiningThresholds, 'relaxed'>,
): NegativeRule[] {
  const transitions = bitmaps.length;
  const rules: NegativeRule[] = [];
  // A stack, not recursion: a trap makes trees hundreds of levels deep.
  const open: Step[] = [
    { directory: start, pattern: [start], bits: bitmaps.row(start), changed: bitmaps.count(start) },
  ];
  for (let step = open.pop(); step; step = open.pop()) {
    const { pattern, bits, changed } = step;
    for (const directory of tree.children(step.directory)) {
      const together = new Uint32Array(bits.length);
      const both = intersect(bits, bitmaps.row(directory), together);
      if (frequencyOfChange(both, transitions) >= thresholds.beta) {
        open.push({ directory, pattern: [...pattern, directory], bits: together, changed: both });
        continue;
      }
      const counts = { transitions, head: changed, tail: bitmaps.count(directory), both };
      const rule = ruleOf(pattern, directory, counts, thresholds);
      if (rule) rules.push(rule);
      else open.push({ directory, pattern, bits, changed });
    }
  }
  return rules;
}

function ruleOf(
  head: readonly number[],
  tail: number,
  counts: ChangeCounts,
  { gamma, theta, relaxed = false }: Pick<MiningThresholds, 'gamma' | 'theta' | 'relaxed'>,
): NegativeRule | undefined {
  const correlation = correlationOfChange(counts);
  if (correlation === undefined ? !relaxed : correlation > -(gamma ?? 0)) return undefined;
  const sure = confidence(counts);
  return sure >= theta ? { head, tail, counts, correlation, confidence: sure } : undefined;
}
