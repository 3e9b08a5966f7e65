import type { Delta, DeltaSalience } from '../../../model/delta.ts';
import { combine } from './combine.ts';
import { type ChangedPage, findingsOf } from './findings.ts';
import { SALIENCE_WEIGHTS } from './fitted-weights.generated.ts';
import { Front } from './front.ts';
import type { SalienceWeights } from './salience-weights.ts';
import { sentenceOf } from './sentence.ts';

/**
 * Salience, the reader's number, in [0, 1]: the chance that a reader who knew the old version would want to be told. Not
 * from a paper. The papers' importance E (change-importance.ts) is a share of the page, so one new lead story is worth
 * less the longer the page is; salience asks how much there is to tell.
 *
 *   s = attention × novelty × kind   of each thing that changed
 *   S = 1 − Π (1 − s)
 *
 *   attention   attention.ts, combine.ts   place, type size, role of the block: never the number of blocks
 *   novelty     known-text.ts              words that the old page and its last days had not told; volatile-text.ts
 *   kind        findings.ts                the lead, a story, a headline, other text, a picture, an order
 *
 * It needs both layouts, whose boxes and types a delta does not hold. So it is computed where the delta is made, and
 * written into it. O(n log n) in the words of both versions.
 */
export function changeSalience(
  page: ChangedPage,
  weights: SalienceWeights = SALIENCE_WEIGHTS,
): DeltaSalience {
  const findings = findingsOf(page);
  const { salience, shares } = combine(findings, weights);
  const kept = new Array<number>(page.delta.operations.length).fill(1);
  findings.forEach(({ operation }, i) => {
    kept[operation] = (kept[operation] as number) * (1 - (shares[i] as number));
  });
  return {
    value: Math.min(1, Math.max(0, salience)),
    operations: kept.map((one) => rounded(1 - one)),
    why: sentenceOf(findings, shares, { old: new Front(page.old), new: new Front(page.new) }),
  };
}

/** The delta, with its salience. */
export const withSalience = (page: ChangedPage): Delta => ({ ...page.delta, salience: changeSalience(page) });

/** Six decimals are more than anyone can judge, and keep Vi-Delta short. */
const rounded = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1e6) / 1e6;
