import type { PatternKind } from '../../src/model/pattern.ts';
import { slotPlan } from '../../src/science/patterns/slots.ts';
import type { PatternRow } from '../api.ts';

export interface NextChange {
  readonly at: number;
  /** Where it stands in the pattern. */
  readonly row: number;
  readonly period: number;
}

/** Expected changes at which it is as likely as not that one has happened: 1 − e^−x = ½. */
const EVEN = Math.LN2;
/** Days that are looked ahead: what is expected later is not worth a date. */
const AHEAD = 366;

/** The moment after the last visit by which a change is as likely as not, by the learnt rates. */
export function nextChange(
  pattern: Pick<PatternRow, 'kind' | 'zone' | 'periods' | 'rate' | 'lastAt'>,
): NextChange | undefined {
  const plan = slotPlan(pattern.kind as PatternKind, { zone: pattern.zone, periods: pattern.periods });
  let expected = 0;
  const start = pattern.lastAt / 1000;
  for (let time = start; time < start + AHEAD * 86_400; ) {
    const slot = plan.slotOf(time);
    const row = Math.floor(slot / plan.periods);
    const period = slot % plan.periods;
    const perHour = pattern.rate[row]?.values[period] ?? 0;
    const end = plan.edgeAfter(time);
    const more = (perHour * (end - time)) / 3600;
    if (expected + more >= EVEN)
      return { at: 1000 * (time + ((EVEN - expected) / perHour) * 3600), row, period };
    expected += more;
    time = end;
  }
  return undefined;
}
