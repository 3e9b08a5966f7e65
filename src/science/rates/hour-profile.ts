/**
 * When in the day changes happen: 24 factors around 1, by which a page's mean rate is multiplied.
 *
 * Counts per hour are divided by the time observed in that hour, so that drifting gaps between visits do not
 * create a false night, and shrunk towards a broader profile (a directory's, the site's) that weighs as much as
 * `PRIOR_CHANGES` changes.
 */
export interface HourProfile {
  /** 24 factors, mean 1; hour 0 begins at local midnight. */
  readonly factors: Float64Array;
  /** Seconds to add to Unix time to get local time. */
  readonly offset: number;
}

export const HOUR = 3_600;
const DAY = 24 * HOUR;
const PRIOR_CHANGES = 24;

export const flatProfile = (offset = 0): HourProfile => ({ factors: new Float64Array(24).fill(1), offset });

/**
 * @param changes Unix seconds
 * @param observed seconds observed in each of the 24 local hours; all equal when absent
 */
export function fitHourProfile(
  changes: ArrayLike<number>,
  prior: HourProfile,
  observed: ArrayLike<number> = new Float64Array(24).fill(1),
): HourProfile {
  const { offset } = prior;
  const counts = new Float64Array(24);
  for (let j = 0; j < changes.length; j++) {
    const hour = Math.floor(mod((changes[j] as number) + offset, DAY) / HOUR);
    counts[hour] = (counts[hour] as number) + 1;
  }
  let total = 0;
  for (const seconds of Array.from(observed)) total += seconds;
  const factors = counts.map((count, hour) => {
    const share = total > 0 ? ((observed[hour] as number) * 24) / total : 1;
    const expected = (changes.length / 24) * share;
    const weight = (PRIOR_CHANGES / 24) * share;
    if (expected + weight === 0) return prior.factors[hour] as number;
    return (count + weight * (prior.factors[hour] as number)) / (expected + weight);
  });
  const mean = factors.reduce((a, b) => a + b, 0) / 24;
  return { factors: mean > 0 ? factors.map((factor) => factor / mean) : factors, offset };
}

/** ∫ of the factor from Unix time 0-aligned midnight to `time`, in seconds: equals elapsed time on a flat profile. */
export function profileTime(profile: HourProfile, time: number): number {
  const local = time + profile.offset;
  const days = Math.floor(local / DAY);
  const rest = local - days * DAY;
  const hour = Math.min(23, Math.floor(rest / HOUR));
  let sum = days * DAY;
  for (let h = 0; h < hour; h++) sum += (profile.factors[h] as number) * HOUR;
  return sum + (profile.factors[hour] as number) * (rest - hour * HOUR);
}

const mod = (x: number, m: number): number => ((x % m) + m) % m;
