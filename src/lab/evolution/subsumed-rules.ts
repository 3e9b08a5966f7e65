/**
 * Rules that NEAR-Miner omits because others subsume them, for Fig. 5 (e) and (f), which measure their worth.
 *
 *   tail: X ⇒ ¬z although X ⇒ ¬y for a y above z (Def. 8). They replace the rules that subsume them.
 *   head: X ⇒ ¬z although X ∪ y is a pattern for a y above z (Def. 9). They are added to the others.
 */
import { Bitmaps } from '../../science/evolution/bitmaps.ts';
import type { DeltaTree, Window } from '../../science/evolution/delta-tree.ts';
import {
  type ChangeCounts,
  confidence,
  correlationOfChange,
  fewestChanges,
  isNegative,
} from '../../science/evolution/evolution-metrics.ts';
import type { MiningThresholds, NegativeRule } from '../../science/evolution/near-miner.ts';

/** All NEARs s ⇒ ¬z from the root; its subtree is searched to the bottom with the head ⟨root⟩ alone. */
function rulesOfRoot(
  deltas: DeltaTree,
  { alpha, beta, gamma = 0.5, theta, relaxed = false }: MiningThresholds,
  window: Window,
): { readonly rules: Map<number, NegativeRule>; readonly isPattern: (directory: number) => boolean } {
  const bitmaps = new Bitmaps();
  deltas.markSignificant(bitmaps, alpha, window);
  const transitions = bitmaps.length;
  const frequent = fewestChanges(beta, transitions);
  const [root, head] = [bitmaps.row(0), bitmaps.count(0)];
  const isPattern = (directory: number): boolean => bitmaps.together(root, directory) >= frequent;
  const rules = new Map<number, NegativeRule>();
  for (let id = 1; id < deltas.tree.size && head >= frequent; id++) {
    const both = bitmaps.together(root, id);
    const counts: ChangeCounts = { transitions, head, tail: bitmaps.count(id), both };
    const correlation = correlationOfChange(counts);
    const isRule = correlation === undefined ? relaxed : isNegative(counts, gamma);
    if (both < frequent && isRule && confidence(counts) >= theta)
      rules.set(id, { head: [0], tail: id, counts, correlation, confidence: confidence(counts) });
  }
  return { rules, isPattern };
}

/** `known`: directories numbered from here on belong to later versions. */
export function subsumedRules(
  by: 'tail' | 'head',
  deltas: DeltaTree,
  thresholds: MiningThresholds,
  { known, ...window }: Window & { readonly known: number },
): NegativeRule[] {
  const { rules, isPattern } = rulesOfRoot(deltas, thresholds, window);
  const { tree } = deltas;
  const above = (id: number, is: (directory: number) => boolean): boolean => {
    for (let at = tree.parent(id); at > 0; at = tree.parent(at)) if (is(at)) return true;
    return false;
  };
  return [...rules.values()].filter(
    ({ tail }) => tail < known && above(tail, by === 'tail' ? (id) => rules.has(id) : isPattern),
  );
}
