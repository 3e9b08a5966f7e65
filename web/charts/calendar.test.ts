import { expect, it } from 'vitest';
import { calendarOf, localDate } from './calendar.ts';

const cell = (text: string) => {
  const at = new Date(`${text}T09:00`).getTime();
  return { date: text, at, captures: 1 };
};

it('Wednesday and the Tuesday after => two weeks from Monday on, each day in its place', () => {
  const { days, weeks } = calendarOf([cell('2026-03-04'), cell('2026-03-10')], 53);
  expect(weeks).toBe(2);
  expect(days.length).toBe(9);
  expect(days.filter(({ cell: held }) => held).map(({ week, weekday }) => [week, weekday])).toEqual([
    [0, 2],
    [1, 1],
  ]);
});

it('three years => the latest weeks alone; no days => nothing', () => {
  const { weeks, days } = calendarOf([cell('2023-01-01'), cell('2026-01-01')], 53);
  expect(weeks).toBe(53);
  expect(localDate(new Date(days.at(-1)?.at ?? 0))).toBe('2026-01-01');
  expect(calendarOf([], 53)).toEqual({ days: [], weeks: 0, months: [] });
});
