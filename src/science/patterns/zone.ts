/**
 * Local time of a site. Pure: the zone's rules come from the platform's own tables (Intl), not from a clock.
 */
import type { Seconds } from '../../model/time.ts';

/** Seconds to add to Unix time to read the wall clock of the zone. */
export type ZoneOffset = (time: Seconds) => number;

export class UnknownZoneError extends RangeError {}

const DAY = 86_400;
const QUARTER_HOUR = 900;

export const utc: ZoneOffset = () => 0;

/**
 * Asking Intl takes microseconds and every observation asks, so each UTC day is looked up once; on the two days of the
 * year whose offset differs at either end, the switch is located to the quarter hour (zones switch on quarter hours).
 */
export function zoneOffset(zone: string): ZoneOffset {
  if (zone === 'UTC') return utc;
  const known = ZONES.get(zone);
  if (known) return known;
  const offset = newOffset(asker(zone));
  ZONES.set(zone, offset);
  return offset;
}

/** Every page of a site asks for its zone, and the answers stay true. */
const ZONES = new Map<string, ZoneOffset>();

function newOffset(ask: ZoneOffset): ZoneOffset {
  const days = new Map<number, { readonly at: Seconds; readonly before: number; readonly after: number }>();
  return (time) => {
    const day = Math.floor(time / DAY);
    let known = days.get(day);
    if (!known) {
      known = switchOf(ask, day * DAY, (day + 1) * DAY);
      days.set(day, known);
    }
    return time < known.at ? known.before : known.after;
  };
}

function switchOf(ask: ZoneOffset, from: Seconds, to: Seconds) {
  const before = ask(from);
  const after = ask(to);
  if (before === after) return { at: from, before, after };
  let low = from / QUARTER_HOUR;
  let high = to / QUARTER_HOUR;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (ask(middle * QUARTER_HOUR) === before) low = middle;
    else high = middle;
  }
  return { at: high * QUARTER_HOUR, before, after };
}

function asker(zone: string): ZoneOffset {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new UnknownZoneError(`no time zone is named '${zone}'`);
  }
  return (time) => {
    const part: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of format.formatToParts(time * 1000)) part[type] = Number(value);
    const wall = Date.UTC(
      part.year ?? 0,
      (part.month ?? 1) - 1,
      part.day ?? 1,
      part.hour ?? 0,
      part.minute ?? 0,
      part.second ?? 0,
    );
    return wall / 1000 - Math.floor(time);
  };
}
