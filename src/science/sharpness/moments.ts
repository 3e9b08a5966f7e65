/**
 * Expected blur of a page whose rate varies with the time of day: Eq. 22 and 23 of SHARC 2009 in expectation. Each
 * change blurs by its distance from the limit of the answering version's reach, so all that is needed of λ(t) is two
 * integrals, Λ(t) = ∫λ and ∫t·λ(t) dt from 0 to t.
 */

/** Λ and ∫tλ at equal steps, interleaved: both are needed at the same places of a table too large for the cache. */
export type Moments = Float64Array;

/** @param expected Λ(t) */
export function momentsOf(expected: (time: number) => number, count: number, step: number): Moments {
  const moments = new Float64Array(2 * count);
  let timed = 0;
  for (let k = 0; k < count; k++) {
    const changes = expected(k * step);
    if (k > 0) timed += (changes - (moments[2 * k - 2] as number)) * (k - 0.5) * step;
    moments[2 * k] = changes;
    moments[2 * k + 1] = timed;
  }
  return moments;
}

/** Blur × length of the interval, for one visit at a step of the table. */
export function blurOfVisit(moments: Moments, visit: number, step: number): number {
  const e = moments.length - 2;
  const v = 2 * visit;
  return (
    2 * (moments[v + 1] as number) -
    (moments[e + 1] as number) +
    (e / 2) * step * ((moments[e] as number) - (moments[v] as number))
  );
}

/** The same for a visit and a revisit whose distance is an even number of steps. */
export function blurOfVisits(moments: Moments, visit: number, revisit: number, step: number): number {
  const v = 2 * visit;
  const r = 2 * revisit;
  const m = visit + revisit;
  const e = moments.length - 2;
  const middle = (m / 2) * step;
  return (
    2 * ((moments[v + 1] as number) - (moments[m + 1] as number) + (moments[r + 1] as number)) +
    middle * (2 * (moments[m] as number) - (moments[v] as number) - (moments[r] as number)) +
    (e / 2) * step * ((moments[e] as number) - (moments[r] as number)) -
    (moments[e + 1] as number)
  );
}
