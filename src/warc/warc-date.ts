import type { Millis } from '../model/time.ts';

/** What the standard allows: a W3C date in UTC, from the year alone to nine digits of a second. */
const STANDARD = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z)?)?)?$/;
/** The same parts with other separators, or none; an offset from UTC at the end. */
const LOOSE =
  /^(\d{4})[^\d]?(\d\d)[^\d]?(\d\d)(?:\D{0,2}(\d\d)\D?(\d\d)(?:\D?(\d\d)(?:[.,]\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;
/** `Sun, 06 Nov 1994 08:49:37 GMT`, as HTTP writes it. */
const HTTP_DATE = /\d (?:GMT|UTC|[+-]\d{4})$/;

export interface ReadDate {
  /** NaN if it is not a date. */
  readonly at: Millis;
  readonly isStandard: boolean;
}

/**
 * The time of a WARC-Date of any tool. `Date.parse` alone would take a date without `Z` as local time, and the same
 * record would get a different hour on another machine.
 */
export function parseWarcDate(text: string): ReadDate {
  const trimmed = text.trim();
  if (STANDARD.test(trimmed)) {
    const at = Date.parse(trimmed);
    const day = Number(trimmed.slice(8, 10));
    // Some engines read 30 February as 2 March.
    const isReal = !Number.isNaN(at) && (day <= 28 || new Date(at).getUTCDate() === day);
    return { at: isReal ? at : Number.NaN, isStandard: isReal };
  }
  const loose = LOOSE.exec(trimmed);
  if (loose) {
    const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] = loose;
    const offset = /^[+-]/.test(zone) ? zone.replace(/^(...):?/, '$1:') : 'Z';
    const plain = parseWarcDate(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`).at;
    if (Number.isNaN(plain)) return { at: Number.NaN, isStandard: false };
    return {
      at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`),
      isStandard: false,
    };
  }
  const http = HTTP_DATE.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  // An index has four digits for the year.
  return { at: http >= 0 && http < Date.UTC(9999, 11, 31) ? http : Number.NaN, isStandard: false };
}
