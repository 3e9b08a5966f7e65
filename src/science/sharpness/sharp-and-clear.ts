/**
 * `sharp-and-clear` (ours; the paper's future work): one capture for both uses, many sharp pages for proof and
 * little blur for reading.
 *
 * Maximises Σ w_i·(e^{−Λ_i(v_i, r_i)} − μ·λ_i·ω(v_i, r_i)/T): expected sharp pages less μ times the expected
 * blur, where Λ_i(v, r) is the expected number of changes between visit and revisit. All visits come before all
 * revisits, so every interval contains the middle and sharp pages share a date, but intervals need not be mirrored.
 *
 * Choosing visits and revisits together is a three-dimensional assignment (NP-hard in general). It is climbed by
 * swaps: two pages exchange their visits, their revisits or both wherever that is worth more, from two starts: nested
 * intervals (best for sharpness) and the same order twice (best for blur). The better result wins. Never worse than
 * either start; not proven optimal: two sweeps, since more gained next to nothing. Alternating exact assignments
 * (all visits, then all revisits) was given up as too slow.
 *
 * Rates may vary with the time of day: `expectedChanges(page, t)` is then the integral of the page's rate from 0
 * to t. Without it changes are equally likely at any time.
 */
import { sharcRevisits } from './organ-pipe.ts';
import { checkSite, type ExpectedChanges, ScheduleInputError, type SiteToCapture } from './schedule.ts';
import { sharcThreshold } from './sharc-threshold.ts';
import { Climb, type ValuedSchedule } from './swap-climb.ts';

export interface SharpAndClearOptions {
  /** μ: how many sharp pages one unit of blur is worth. 0: sharp pages only. */
  readonly blurWeight?: number;
  /** Expected changes of a page from the start of the capture to this time; grows with time. */
  readonly expectedChanges?: ExpectedChanges;
  /** Largest number of sweeps over all pairs, per start. */
  readonly sweeps?: number;
}

export const SHARP_AND_CLEAR = { blurWeight: 0.1, blurLimit: 1.15, sweeps: 2 } as const;

export function sharpAndClear(site: SiteToCapture, options: SharpAndClearOptions = {}): ValuedSchedule {
  checkSite(site);
  const mu = options.blurWeight ?? SHARP_AND_CLEAR.blurWeight;
  if (!(mu >= 0)) throw new ScheduleInputError(`the weight of blur must be >= 0, not ${mu}`);
  return bestClimb(
    new Climb(site, options.expectedChanges),
    site,
    options.sweeps ?? SHARP_AND_CLEAR.sweeps,
    mu,
  );
}

function bestClimb(climb: Climb, site: SiteToCapture, sweeps: number, mu: number): ValuedSchedule {
  const ends = [sharcThreshold(site), sharcRevisits(site)].map((start) => climb.from(start, sweeps, mu));
  return ends.reduce((best, end) => (end.value > best.value ? end : best));
}

export interface SharpestOptions extends Omit<SharpAndClearOptions, 'blurWeight'> {
  /** Largest expected blur allowed, as a multiple of that of SHARC-revisits. */
  readonly blurLimit?: number;
}

/** Bisection steps over the range of μ, in logarithms. */
const HALVINGS = 6;
/** Below `least`, blur counts for next to nothing: captures of days stayed far within the limit at 0.1. */
const MU_RANGE = { least: 0.01, most: 10 } as const;

/**
 * The most sharp pages within a limit of blur: `sharp-and-clear` with the smallest μ that keeps the *expected* blur
 * under it. μ has no unit that means the same on two sites or for two durations; the limit does: on
 * real histories a limit of 1.15 gave 1.13 to 1.16 (docs/sharp-captures.md). Each μ climbs on from the nearest earlier result.
 */
export function sharpestWithin(site: SiteToCapture, options: SharpestOptions = {}): ValuedSchedule {
  checkSite(site);
  const { blurLimit = SHARP_AND_CLEAR.blurLimit, sweeps = SHARP_AND_CLEAR.sweeps } = options;
  if (!(blurLimit >= 1)) throw new ScheduleInputError(`the limit of blur must be >= 1, not ${blurLimit}`);
  const climb = new Climb(site, options.expectedChanges);
  const clearest = sharcRevisits(site);
  const most = blurLimit * climb.blur(clearest);
  let { least, most: largest }: { least: number; most: number } = MU_RANGE;
  let sharp = bestClimb(climb, site, sweeps, least);
  if (climb.blur(sharp) <= most) return sharp;
  // Never above the limit: the organ pipe itself keeps within it.
  let within = climb.from(clearest, 0, largest);
  for (let halving = 0; halving < HALVINGS; halving++) {
    const mu = Math.sqrt(least * largest);
    const next = climb.from(sharp, 1, mu);
    if (climb.blur(next) <= most) {
      within = next;
      largest = mu;
    } else {
      sharp = next;
      least = mu;
    }
  }
  return within;
}
