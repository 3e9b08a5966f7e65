/** Times of versions, as addresses name them. */

/** Digits, of a day or of a moment, as milliseconds; none: the newest. */
export function momentOf(digits: string): number {
  if (digits === '') return Number.POSITIVE_INFINITY;
  const [, year, month, day, hour, minute, second, rest] =
    /^(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d{1,3})?/.exec(digits) ?? [];
  return Date.UTC(
    Number(year ?? 1970),
    Number(month ?? 1) - 1,
    Number(day ?? 1),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
    Number((rest ?? '').padEnd(3, '0')),
  );
}

/** Index of the version nearest in time; -1 of none. */
export function nearest(times: readonly number[], at: number): number {
  if (at === Number.POSITIVE_INFINITY) return times.length - 1;
  let best = times.length > 0 ? 0 : -1;
  for (const [index, time] of times.entries()) {
    if (Math.abs(time - at) < Math.abs((times[best] ?? 0) - at)) best = index;
  }
  return best;
}
