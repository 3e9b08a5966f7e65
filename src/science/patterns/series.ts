/**
 * Time series and patterns of the importance of changes, as the paper defines them.
 *
 * M. Ben Saad, S. Gançarski: Archiving the web using page changes patterns: a case study. IJDL 13 (2012).
 * §4 (Def. 5, 6), §7 (Alg. 1, 3).
 *
 *   TSeries(P_i)   importance of change per period of a day    → DaySeries
 *   μ_k            … in the period T_k                          → DaySeries.importance[k]
 *   Patt(P_i)      mean of the series, period by period         → Pattern
 *   ω_k            … in the period T_k                          → Pattern.importance[k]
 *   N_T            periods                                      → SlotPlan.periods
 *
 * Departures. (1) Visits rarely fall on the edges of periods. The change seen in a gap is spread over the periods it
 * covers, by time: a longer gap is not mistaken for a busier hour. (2) A period that was not observed is unknown (NaN),
 * not 0, and does not enter the mean. (3) A period of a class that was never observed (no holiday yet) takes the mean
 * of the others.
 */
import type { Gap } from './observations.ts';
import { type SlotPlan, spread } from './slots.ts';

export interface DaySeries {
  /** Local days since 1970-01-01. */
  readonly day: number;
  /** μ_k per slot; NaN where the slot was not observed on this day. */
  readonly importance: Float64Array;
}

/** Def. 5, for one page. */
export interface PaperPattern {
  /** ω_k per slot. */
  readonly importance: Float64Array;
  /** Number of series in which the slot was observed. */
  readonly support: Int32Array;
}

/** Alg. 1: one series per local day. Gaps are in order of time. */
export function timeSeries(gaps: readonly Gap[], plan: SlotPlan): DaySeries[] {
  const days = new Map<number, { sum: Float64Array; hours: Float64Array }>();
  for (const gap of gaps) {
    const length = (gap.to - gap.from) / 3600;
    let at = gap.from;
    spread(plan, gap.from, gap.to, (slot, hours) => {
      const day = plan.dayOf(at);
      at += hours * 3600;
      let entry = days.get(day);
      if (!entry) {
        entry = { sum: new Float64Array(plan.slots), hours: new Float64Array(plan.slots) };
        days.set(day, entry);
      }
      entry.sum[slot] = (entry.sum[slot] as number) + (gap.importance * hours) / length;
      entry.hours[slot] = (entry.hours[slot] as number) + hours;
    });
  }
  const full = plan.period / 3600;
  return [...days]
    .sort(([a], [b]) => a - b)
    .map(([day, { sum, hours }]) => ({
      day,
      // A period seen for less than half its length says little. The 25th hour of the year weighs as its share.
      importance: sum.map((value, slot) => {
        const seen = hours[slot] as number;
        return seen < full / 2 ? Number.NaN : Math.min(1, value * (full / seen));
      }),
    }));
}

/** Alg. 3: ω_k = mean of μ_k over the series. */
export function paperPattern(series: readonly DaySeries[], slots: number): PaperPattern {
  const importance = new Float64Array(slots);
  const support = new Int32Array(slots);
  for (const { importance: values } of series) {
    for (let slot = 0; slot < slots; slot++) {
      const value = values[slot] as number;
      if (Number.isNaN(value)) continue;
      importance[slot] = (importance[slot] as number) + value;
      support[slot] = (support[slot] as number) + 1;
    }
  }
  let total = 0;
  let seen = 0;
  for (let slot = 0; slot < slots; slot++) {
    const count = support[slot] as number;
    if (count === 0) continue;
    importance[slot] = (importance[slot] as number) / count;
    total += importance[slot] as number;
    seen++;
  }
  const mean = seen === 0 ? 0 : total / seen;
  return { importance: importance.map((value, slot) => (support[slot] === 0 ? mean : value)), support };
}
