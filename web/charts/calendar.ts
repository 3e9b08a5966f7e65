/** What happened on one day of the reader's calendar. */
export interface DayCell {
  /** `2026-03-02`, local. */
  readonly date: string;
  readonly at: number;
  readonly captures: number;
  /** Share of sharp pages in [0, 1]; absent where nothing of that day was certified. */
  readonly sharpness?: number;
}

export interface PlacedDay {
  readonly at: number;
  readonly week: number;
  /** 0 is Monday. */
  readonly weekday: number;
  readonly cell?: DayCell;
}

export interface Calendar {
  readonly days: readonly PlacedDay[];
  readonly weeks: number;
  /** Weeks in which a month begins, with a moment of it. */
  readonly months: readonly { readonly week: number; readonly at: number }[];
}

/** Weeks as columns, from the week of the first day to that of the last; at most so many weeks, the latest. */
export function calendarOf(cells: readonly DayCell[], most: number): Calendar {
  const first = cells[0];
  const last = cells.at(-1);
  if (!first || !last) return { days: [], weeks: 0, months: [] };
  const byDate = new Map(cells.map((cell) => [cell.date, cell]));
  const end = noon(last.at);
  const weeks = Math.min(most, Math.floor(daysBetween(monday(first.at), end) / 7) + 1);
  const start = monday(end.getTime());
  start.setDate(start.getDate() - 7 * (weeks - 1));
  const days: PlacedDay[] = [];
  const months: { week: number; at: number }[] = [];
  for (const date = new Date(start); date <= end; date.setDate(date.getDate() + 1)) {
    const week = Math.floor(daysBetween(start, date) / 7);
    const cell = byDate.get(localDate(date));
    const begins = date.getDate() <= 7 && date.getDay() === 1;
    if (begins || days.length === 0) months.push({ week, at: date.getTime() });
    days.push({ at: date.getTime(), week, weekday: (date.getDay() + 6) % 7, ...(cell && { cell }) });
  }
  return {
    days,
    weeks,
    months: months.filter(({ week }, i) => i === 0 || week - (months[i - 1]?.week ?? 0) > 2),
  };
}

/** Noon: adding days never meets the hour that summer time takes away. */
function noon(at: number): Date {
  const date = new Date(at);
  date.setHours(12, 0, 0, 0);
  return date;
}

function monday(at: number): Date {
  const date = noon(at);
  date.setDate(date.getDate() - ((date.getDay() + 6) % 7));
  return date;
}

const daysBetween = (a: Date, b: Date): number => Math.round((b.getTime() - a.getTime()) / 86_400_000);

export function localDate(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
