import type { Millis } from '../../model/time.ts';
import { type ChangePattern, confidence } from '../patterns/change-pattern.ts';
import { spread } from '../patterns/slots.ts';

/** Below this a pattern is more prior than page, and nothing is improbable under it: one half, which takes eight changes. */
const KNOWN = 0.5;

/**
 * Chance that a page shows a change of at least this importance between two visits, by its pattern: changes are a Poisson
 * process with the pattern's rates, and their importance, of which the pattern knows the mean e_h of each slot, is assumed to be
 * exponential, so that a change in slot h is that large with chance exp(−importance / e_h):
 *
 *   1 − exp(−Σ_h λ_h · hours_h · exp(−importance / e_h))
 *
 * Undefined while the pattern is not known well enough.
 */
export function chanceOfChange(
  pattern: ChangePattern,
  { from, to, importance }: { readonly from: Millis; readonly to: Millis; readonly importance: number },
): number | undefined {
  if (confidence(pattern) < KNOWN || !(to > from)) return undefined;
  let expected = 0;
  spread(pattern.plan, from / 1000, to / 1000, (slot, hours) => {
    const mean = pattern.importance[slot] ?? 0;
    const large = importance <= 0 ? 1 : mean > 0 ? Math.exp(-importance / mean) : 0;
    expected += (pattern.rate[slot] ?? 0) * hours * large;
  });
  return -Math.expm1(-expected);
}
