/**
 * A date written in a URL, to month or day, and the URL's shape without it. A year alone does not count:
 * `/report/2050/` is not a calendar page.
 */
export interface UrlDate {
  /** Days since 1970-01-01; the first of the month if no day is given. */
  readonly day: number;
  /** As written, for messages. */
  readonly text: string;
  /** The URL with the date replaced by `D`. */
  readonly rest: string;
  /** Precise only to the month. */
  readonly isMonth: boolean;
  /** Nothing but the date distinguishes the page, or the URL says that it is a calendar. */
  readonly calendar: boolean;
}

/** `/2022/01/30`, `/2022-01`, `/20220130`, whole segments. */
const PATH_DATE =
  /\/(\d{4})(?:[/.-](0?[1-9]|1[0-2])(?:[/.-](0?[1-9]|[12]\d|3[01]))?|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])?)(?=[/?.]|$)/;
/**
 * `date=2022-01-30`, `start=2022-01-30T00:00`, `m=2022-01`; without separators only if the name says it is a
 * date.
 */
const QUERY_DATE =
  /[?&][\w.[\]%-]*=(\d{4})(?:[/.-]|%2F)(0[1-9]|1[0-2])(?:(?:[/.-]|%2F)(0[1-9]|[12]\d|3[01]))?(?=$|[&T])/i;
const COMPACT_QUERY_DATE =
  /[?&][\w.[\]%-]*(?:date|datum|day|month|ym|cal)[\w.[\]%-]*=(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])?(?=$|[&T])/i;
const YEAR_ARGUMENT = /([?&])[\w.[\]-]*(?:year|yr|jahr|annee|ano)[\w.[\]-]*=(\d{1,4})(?=$|&)/i;
const MONTH_ARGUMENT = /([?&])[\w.[\]-]*(?:month|mon|monat|mois|mes)[\w.[\]-]*=(\d{1,2})(?=$|&)/i;
const DAY_ARGUMENT = /([?&])[\w.[\]-]*(?:day|tag|jour|dia)[\w.[\]-]*=(\d{1,2})(?=$|&)/i;
const CALENDAR_WORD =
  /(?:^|[^a-z])(?:cal|calendar|calendrier|calendario|kalender|events?|termine?|agenda|tribe-bar-date|veranstaltung(?:en)?|month|week|day|date|schedule|availability|booking)(?:$|[^a-z])/i;

export function dateInUrl(url: string): UrlDate | undefined {
  const query = url.indexOf('?');
  return (query < 0 ? undefined : dateInQuery(url, query)) ?? dateInPath(url);
}

function dateInPath(url: string): UrlDate | undefined {
  const found = PATH_DATE.exec(url);
  if (!found) return undefined;
  const [whole, year, month, dayOfMonth, compactMonth, compactDay] = found;
  const before = url.slice(0, found.index);
  const after = url.slice(found.index + whole.length);
  const calendar = CALENDAR_WORD.test(before.slice(before.indexOf('/', 8))) || CALENDAR_WORD.test(after);
  // `/thread/2051/2`, `/item/20501231`: numbers, unless the URL mentions a calendar or writes a full date.
  if (!calendar && (month?.length !== 2 || dayOfMonth?.length !== 2)) return undefined;
  return {
    day: dayNumber(Number(year), Number(month ?? compactMonth), Number(dayOfMonth ?? compactDay ?? 1)),
    isMonth: (dayOfMonth ?? compactDay) === undefined,
    text: whole.slice(1),
    rest: `${before}/D${after}`,
    calendar,
  };
}

function dateInQuery(url: string, query: number): UrlDate | undefined {
  const found = QUERY_DATE.exec(url) ?? COMPACT_QUERY_DATE.exec(url);
  if (found) {
    const [whole, year, month, day] = found;
    const value = found.index + whole.indexOf('=') + 1;
    const text = url.slice(value, found.index + whole.length);
    return {
      day: dayNumber(Number(year), Number(month), Number(day ?? 1)),
      isMonth: day === undefined,
      text,
      rest: `${url.slice(0, value)}D${url.slice(found.index + whole.length)}`,
      calendar: true,
    };
  }
  const year = YEAR_ARGUMENT.exec(url);
  const month = MONTH_ARGUMENT.exec(url);
  if (!year || !month) return undefined;
  const day = DAY_ARGUMENT.exec(url);
  const rest = url
    .replace(YEAR_ARGUMENT, '$1Y=D')
    .replace(MONTH_ARGUMENT, '$1M=D')
    .replace(DAY_ARGUMENT, '$1D=D');
  return {
    day: dayNumber(Number(year[2]), Number(month[2]), Number(day?.[2] ?? 1)),
    isMonth: day === null,
    text: url.slice(query + 1),
    rest,
    calendar: true,
  };
}

const MS_PER_DAY = 86_400_000;

function dayNumber(year: number, month: number, day: number): number {
  // Date.UTC would read years below 100 as 19xx.
  return Math.round(new Date(0).setUTCFullYear(year, month - 1, day) / MS_PER_DAY);
}
