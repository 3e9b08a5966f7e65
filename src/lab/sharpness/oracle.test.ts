import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactBlur } from '../../science/sharpness/exact-blur.ts';
import { leastBlurSchedule } from './oracle.ts';

test('up to 6 pages with changes on and off the slots => the least exact blur of all orders', () => {
  const orders = (rest: readonly number[]): number[][] =>
    rest.length === 0 ? [[]] : rest.flatMap((x) => orders(rest.filter((y) => y !== x)).map((o) => [x, ...o]));
  const time = fc.oneof(fc.integer({ min: 0, max: 7 }), fc.double({ min: 0, max: 7, noNaN: true }));
  fc.assert(
    fc.property(
      fc.array(fc.array(time, { maxLength: 4 }), { maxLength: 6 }),
      fc.constantFrom(1, 0.1),
      (pages, delay) => {
        const changes = pages.map((times) => Float64Array.from(times, (t) => t * delay).sort());
        const interval = [0, Math.max(0, pages.length - 1) * delay] as const;
        const blur = (slots: readonly number[]) =>
          exactBlur(changes, { visits: Float64Array.from(slots, (slot) => slot * delay) }, interval);
        const { visits } = leastBlurSchedule(changes, delay);
        const slots = Array.from(visits, (visit) => Math.round(visit / delay));
        expect([...slots].sort()).toEqual(pages.map((_, i) => i));
        const least = Math.min(...orders(pages.map((_, i) => i)).map(blur));
        expect(exactBlur(changes, { visits }, interval)).toBeCloseTo(least, 8);
      },
    ),
    { numRuns: 60 },
  );
});
