import type { Seconds } from '../../model/time.ts';
import { type ChangePattern, meanRate } from '../patterns/change-pattern.ts';
import { spread } from '../patterns/slots.ts';

/** Λ(from, to): changes expected between two moments. */
export type ChangesBetween = (from: Seconds, to: Seconds) => number;

/** Beyond this the hours of the day have evened out, and walking through them only takes time. */
const LONG = 60 * 86_400;

/** Under a page's own pattern, hour by hour. */
export function expectedChanges(pattern: ChangePattern): ChangesBetween {
  const mean = meanRate(pattern);
  return (from, to) => {
    if (to - from > LONG) return ((to - from) / 3600) * mean;
    let sum = 0;
    spread(pattern.plan, from, to, (slot, hours) => {
      sum += hours * (pattern.rate[slot] as number);
    });
    return sum;
  };
}
