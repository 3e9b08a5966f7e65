/**
 * The metrics of NEAR-Miner 2009, § 3.3, from integer counts of transitions: in how many of M both sides changed
 * significantly (`both`), the head alone or not (`head`), the tail alone or not (`tail`). In the form over frequencies
 * rounding flips the cases that lie on a threshold.
 */
export interface ChangeCounts {
  readonly transitions: number;
  readonly head: number;
  readonly tail: number;
  readonly both: number;
}

/** Def. 2. */
export const frequencyOfChange = (changed: number, transitions: number): number =>
  transitions === 0 ? 0 : changed / transitions;

/** Def. 3, the φ coefficient; undefined where one side always or never changes: then there is no rule. */
export function correlationOfChange({ transitions: m, head, tail, both }: ChangeCounts): number | undefined {
  const margins = head * (m - head) * tail * (m - tail);
  return margins === 0 ? undefined : (m * both - head * tail) / Math.sqrt(margins);
}

/** Def. 6: how often the tail stays as it is when the head changes. */
export const confidence = ({ head, both }: ChangeCounts): number => (head === 0 ? 0 : (head - both) / head);
