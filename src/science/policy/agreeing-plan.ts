/**
 * The plan of a capture whose pages are to agree: nested intervals around its middle, as in a sharp capture (SHARC-threshold,
 * §7.3), with pages that must agree near each other. Slot k is the k-th from the middle outwards: visit and revisit are
 * (2k + 1)·Δ apart, and all intervals contain the middle, so that the unchanged pages of one group are sharp together.
 */
import { penaltyEq19 } from '../sharpness/blur.ts';
import type { ExpectedChanges, SiteToCapture } from '../sharpness/schedule.ts';
import { SHARP_AND_CLEAR } from '../sharpness/sharp-and-clear.ts';
import { type AgreeingPages, agreeingSlots } from './agreeing-slots.ts';
import type { NamedSchedule } from './planned-order.ts';

export function agreeingPlan(
  { rates, delay }: Pick<SiteToCapture, 'rates' | 'delay'>,
  pairs: AgreeingPages['pairs'],
  changes: ExpectedChanges | undefined,
): NamedSchedule {
  const size = rates.length;
  const end = (2 * size - 1) * delay;
  const visitAt = (slot: number): number => (size - 1 - slot) * delay;
  const slots = agreeingSlots({ rates: Float64Array.from(rates), pairs, delay }, (page, from, step, out) => {
    const rate = rates[page] as number;
    for (let j = 0; j < out.length; j++) {
      const visit = visitAt(from + j * step);
      const revisit = end - visit;
      const expected = changes ? changes(page, revisit) - changes(page, visit) : rate * (revisit - visit);
      const blur = (rate * penaltyEq19(visit, revisit, end)) / end;
      out[j] = Math.exp(-Math.max(0, expected)) - SHARP_AND_CLEAR.blurWeight * blur;
    }
  });
  return {
    name: `nested intervals${changes ? ' by hour' : ''}, with ${pairs.length} pairs that must agree`,
    visits: Float64Array.from(slots, visitAt),
    revisits: Float64Array.from(slots, (slot) => end - visitAt(slot)),
  };
}
