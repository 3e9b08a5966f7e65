import { expect, it } from 'vitest';
import { fromDay, fromInput, toDay, toInput, weekUpTo } from './times.ts';

it('a time => through a field and back, the same', () => {
  const iso = '2026-03-02T09:00:05.000Z';
  expect(fromInput(toInput(iso))).toBe(iso);
  expect(fromInput(toInput('nonsense'))).toBe('');
});

it('a day => its first and its last moment, on the same day', () => {
  expect(toDay(fromDay('2026-03-02', 'start'))).toBe('2026-03-02');
  expect(toDay(fromDay('2026-03-02', 'end'))).toBe('2026-03-02');
  expect(Date.parse(fromDay('2026-03-02', 'end')) - Date.parse(fromDay('2026-03-02', 'start'))).toBe(
    86_399_999,
  );
});

it('a moment => the seven whole days that end with its day', () => {
  const { from, to } = weekUpTo(Date.parse('2026-03-14T12:00:00Z'));
  expect([toDay(from), toDay(to)]).toEqual(['2026-03-08', '2026-03-14']);
});
