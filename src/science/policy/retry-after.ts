import type { Millis } from '../../model/time.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** IMF-fixdate and RFC 850 (`Sunday, 06-Nov-94 08:49:37 GMT`): RFC 9110 §5.6.7. */
const HTTP_DATE = /^[A-Za-z]+, (\d{2})[ -]([A-Z][a-z]{2})[ -](\d{4}|\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
/** `Sun Nov  6 08:49:37 1994`. */
const ASCTIME = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;

/** Milliseconds from now; 0 for a date that has passed; undefined for a value that is neither number nor date. */
export function parseRetryAfter(value: string, now: Millis): number | undefined {
  const text = value.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  const at = parseHttpDate(text, now);
  return at === undefined ? undefined : Math.max(0, at - now);
}

function parseHttpDate(text: string, now: Millis): Millis | undefined {
  const date = HTTP_DATE.exec(text);
  if (date) {
    const [, day, month, year, hour, minute, second] = date;
    return instant(fullYear(year ?? '', now), month, day, hour, minute, second);
  }
  const asctime = ASCTIME.exec(text);
  if (!asctime) return undefined;
  const [, month, day, hour, minute, second, year] = asctime;
  return instant(Number(year), month, day, hour, minute, second);
}

/** Two-digit years that seem more than 50 years ahead belong to the past century: RFC 9110 §5.6.7. */
function fullYear(year: string, now: Millis): number {
  if (year.length === 4) return Number(year);
  const thisYear = new Date(now).getUTCFullYear();
  const guess = Math.floor(thisYear / 100) * 100 + Number(year);
  return guess > thisYear + 50 ? guess - 100 : guess;
}

function instant(
  year: number,
  month: string | undefined,
  ...rest: readonly (string | undefined)[]
): Millis | undefined {
  const index = MONTHS.indexOf(month ?? '');
  const [day, hour, minute, second] = rest.map(Number);
  if (index < 0 || day === undefined) return undefined;
  return Date.UTC(year, index, day, hour, minute, second);
}
