import { expect, it } from 'vitest';
import { lookedAt, sinceOf, spanOf } from './span.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

it('nothing chosen => since the last look if something was written since, else a week', () => {
  expect(spanOf(undefined, 100 * DAY, 99 * DAY)).toBe('look');
  expect(spanOf(undefined, 100 * DAY, 101 * DAY)).toBe('week');
  expect(spanOf('nonsense', 100 * DAY, undefined)).toBe('week');
  expect(spanOf('month', 100 * DAY, 99 * DAY)).toBe('month');
});

it('an archive that rests => spans count from the last thing written', () => {
  expect(sinceOf('day', 100 * DAY, undefined)).toBe(99 * DAY);
  expect(sinceOf('look', 100 * DAY, 98 * DAY)).toBe(98 * DAY);
  expect(sinceOf('all', 100 * DAY, 98 * DAY)).toBe(0);
});

it('looks => a reload is the same look, the next day is another', () => {
  const held = new Map<string, string>();
  const store = {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
  };
  expect(lookedAt(10 * HOUR, store)).toBeUndefined();
  expect(lookedAt(10 * HOUR + 60_000, store)).toBeUndefined();
  expect(lookedAt(34 * HOUR, store)).toBe(10 * HOUR + 60_000);
  expect(lookedAt(34 * HOUR + 60_000, store)).toBe(10 * HOUR + 60_000);
});

it('a store that is refused => no look is known', () => {
  const refuse = (): never => {
    throw new Error('refused');
  };
  expect(lookedAt(1, { getItem: refuse, setItem: refuse })).toBeUndefined();
});
