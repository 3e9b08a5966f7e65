import { expect, it } from 'vitest';
import { isOver } from './resting.ts';

const DAY = 86_400_000;

it('a configured watch, nothing written for months => over; one that runs, a young one, none => not', () => {
  expect(isOver('configured', 0, 250 * DAY)).toBe(true);
  expect(isOver('configured', 0, 3 * DAY)).toBe(false);
  expect(isOver('runs', 0, 250 * DAY)).toBe(false);
  expect(isOver(undefined, 0, 250 * DAY)).toBe(false);
  expect(isOver('configured', undefined, 250 * DAY)).toBe(false);
});
