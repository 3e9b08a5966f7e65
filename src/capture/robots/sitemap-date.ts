/**
 * Dates of sitemaps (W3C profile of ISO 8601) and of feeds (RFC 822). A W3C date without a time zone is read
 * as UTC, so that the machine's zone never matters; an RFC 822 date without one is rejected.
 */
import type { Millis } from '../../model/time.ts';

const W3C =
  /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
const RFC_822 =
  /^(?:[a-z]{3,9},?\s+)?(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{2}|\d{4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s+([a-z]{1,4}|[+-]\d{4})$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Minutes east of Greenwich, for the zone names of RFC 822. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ z: 0, gmt: 0, ut: 0, utc: 0 },
  ...{ est: -300, edt: -240, cst: -360, cdt: -300, mst: -420, mdt: -360, pst: -480, pdt: -420 },
};

export function parseFeedDate(text: string): Millis | undefined {
  const w3c = W3C.exec(text);
  if (w3c) {
    const [, year, month = 1, day = 1, hour = 0, minute = 0, second = 0, zone = 'Z'] = w3c;
    return instant([year, month, day, hour, minute, second].map(Number), zone);
  }
  const rfc = RFC_822.exec(text);
  if (!rfc) return undefined;
  const [, day, monthName = '', yearText = '', hour, minute, second = 0, zone = ''] = rfc;
  const month = MONTHS.indexOf(monthName.toLowerCase()) + 1;
  const short = Number(yearText);
  // RFC 2822 §4.3: two digits below 50 belong to this century.
  const year = yearText.length === 4 ? short : short + (short < 50 ? 2000 : 1900);
  return instant([year, month, day, hour, minute, second].map(Number), zone);
}

/** @param parts year, month from 1, day, hour, minute, second */
function instant(parts: readonly number[], zone: string): Millis | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const offset = /^[+-]/.test(zone) ? signedMinutes(zone) : ZONES[zone.toLowerCase()];
  if (offset === undefined || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  if (hour > 24 || minute > 59 || second > 60) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second) - offset * 60_000;
}

function signedMinutes(zone: string): number {
  const digits = zone.slice(1).replace(':', '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return zone.startsWith('-') ? -minutes : minutes;
}
