/** Numbers as the reasons of visits tell them: people compare them, and need no more than two or three digits. */

/** What something is worth, or its price. */
export function worthWords(value: number): string {
  if (value === 0) return '0';
  if (Math.abs(value) < LEAST) return `under ${LEAST}`;
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}
const LEAST = 0.001;

/** `20 s`, `5 min`, `3.5 h`, `7.0 days`, `249 days`. */
export function spanWords(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 2 * 3_600_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 2 * DAY) return `${(ms / 3_600_000).toFixed(1)} h`;
  return `${(ms / DAY).toFixed(ms < 10 * DAY ? 1 : 0)} days`;
}
const DAY = 86_400_000;
