import type { Millis } from '../../model/time.ts';

const HTTP_DATE =
  /^(?:mon|tue|wed|thu|fri|sat|sun), \d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/i;

/** The time of an `Accept-Datetime` header field (RFC 7089 §2.1.1): an HTTP date in GMT; undefined for anything else. */
export function acceptDatetime(value: string): Millis | undefined {
  const text = value.trim();
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  // A day that no calendar has, such as 31 February, would pass for one of the next month.
  return new Date(at).getUTCDate() === Number(/\d{1,2}/.exec(text)?.[0]) ? at : undefined;
}
