import type { HolidayTest } from '../model/pattern.ts';
import type { Holidays } from '../ports/holidays.ts';
import { UserError } from './user-error.ts';

/** `DE`, `DE-BY`: a country, a part of it. */
export const REGION = /^([A-Z]{2})(?:-([A-Z0-9]{1,3}))?$/i;
const DAY = 86_400_000;

/**
 * Public holidays of some 200 countries, from `date-holidays`. Its tables are large, so they are loaded only when a
 * crawl or a lab asks for them, and each year is computed once.
 */
export const holidays: Holidays = async (region) => {
  const [, country, state] = REGION.exec(region.toUpperCase()) ?? [];
  if (country === undefined) return undefined;
  const { default: Calendar } = await import('date-holidays');
  const calendar = new Calendar();
  if (!(country in calendar.getCountries())) return undefined;
  if (state !== undefined && !(state in (calendar.getStates(country) ?? {}))) return undefined;
  if (state === undefined) calendar.init(country);
  else calendar.init(country, state);

  const years = new Map<number, ReadonlySet<string>>();
  return (localDate) => {
    const year = Number(localDate.slice(0, 4));
    const known = years.get(year) ?? new Set(daysOff(calendar.getHolidays(year)));
    years.set(year, known);
    return known.has(localDate);
  };
};

/** `date` is the first day in local time; feasts of several days are one entry. */
function* daysOff(
  all: readonly { readonly type: string; readonly date: string; readonly start: Date; readonly end: Date }[],
): Iterable<string> {
  for (const { type, date, start, end } of all) {
    if (type !== 'public') continue;
    const first = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
    const days = Math.max(1, Math.ceil((end.getTime() - start.getTime()) / DAY));
    for (let day = 0; day < days; day++) yield new Date(first + day * DAY).toISOString().slice(0, 10);
  }
}

/** The days off of a region that a user named. */
export async function requireHolidays(region: string): Promise<HolidayTest> {
  const isDayOff = await holidays(region);
  if (isDayOff) return isDayOff;
  throw new UserError(
    `no holidays are known of '${region}': write a country, such as DE, or a part of one, such as DE-BY`,
  );
}
