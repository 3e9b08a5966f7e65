/**
 * The metrics of NEAR-Miner (Chen, Bhowmick, Nejdl, PVLDB 2009), § 3.3, from integer counts of transitions.
 *
 *   M = n − 1   transitions                                        `transitions`
 *   f1+         in which all of the head X changed significantly   `head`
 *   f+1         in which the tail y did                            `tail`
 *   f11         in which both did                                  `both`
 *
 * Departures: Def. 3 is computed from counts as in Eq. 1; over frequencies rounding flips cases that lie on a threshold.
 * FoC and confidence are one division of integers each, compared exactly, as degrees of change are (delta-tree.ts).
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

/** The fewest transitions in which a pattern must change to be frequent: FoC ≥ β. */
export function fewestChanges(beta: number, transitions: number): number {
  let fewest = Math.max(0, Math.floor(beta * transitions) - 1);
  while (fewest <= transitions && frequencyOfChange(fewest, transitions) < beta) fewest++;
  return fewest;
}

/** Def. 3, the φ coefficient; undefined where one side always or never changes: then there is no rule. */
export function correlationOfChange(counts: ChangeCounts): number | undefined {
  const margins = marginsOf(counts);
  return margins === 0 ? undefined : -negativity(counts) / Math.sqrt(margins);
}

/**
 * Def. 5 (iii): φ ≤ −γ, decided without the root as (f1+ f+1 − M f11)² ≥ γ² f1+ (M − f1+) f+1 (M − f+1). Where the two sides
 * are closer than rounding can tell, γ is taken as the decimal number it is written as, and the sides are compared as integers.
 */
export function isNegative(counts: ChangeCounts, gamma: number): boolean {
  const margins = marginsOf(counts);
  const amount = negativity(counts);
  if (margins === 0 || amount < 0) return false;
  const [left, right] = [amount * amount, gamma * gamma * margins];
  if (Math.abs(left - right) > 1e-9 * right) return left > right;
  const { transitions: m, head, tail } = counts;
  const { numerator, denominator } = decimal(gamma);
  const exactMargins = BigInt(head) * BigInt(m - head) * BigInt(tail) * BigInt(m - tail);
  return (BigInt(amount) * denominator) ** 2n >= numerator ** 2n * exactMargins;
}

const marginsOf = ({ transitions: m, head, tail }: ChangeCounts): number =>
  head * (m - head) * tail * (m - tail);

const negativity = ({ transitions: m, head, tail, both }: ChangeCounts): number => head * tail - m * both;

/** 0.35 => 35 / 100. */
function decimal(value: number): { readonly numerator: bigint; readonly denominator: bigint } {
  const [digits = '', exponent = '0'] = String(value).split('e-');
  const [whole = '', part = ''] = digits.split('.');
  return { numerator: BigInt(whole + part), denominator: 10n ** BigInt(part.length + Number(exponent)) };
}

/** Def. 6: how often the tail stays unchanged when the head changes. */
export const confidence = ({ head, both }: ChangeCounts): number => (head === 0 ? 0 : (head - both) / head);
