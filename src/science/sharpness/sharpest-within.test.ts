import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectedBlur } from './blur.ts';
import { sharcRevisits } from './organ-pipe.ts';
import { sharpAndClear, sharpestWithin } from './sharp-and-clear.ts';
import { expectedSharp } from './sharp-pages.ts';
import { Climb } from './swap-climb.ts';

describe('sharpest-within', () => {
  const rates = fc.array(fc.double({ min: 0, max: 0.5, noNaN: true }), { maxLength: 14 });

  test('any site and limit => each slot once, visits before revisits, expected blur within the limit', () => {
    fc.assert(
      fc.property(
        rates,
        fc.constantFrom(1, 1.05, 1.2, 2),
        fc.constantFrom(1, 7),
        (list, blurLimit, delay) => {
          const site = { rates: list, delay };
          const { visits, revisits } = sharpestWithin(site, { blurLimit });
          const slots = [...visits, ...revisits]
            .map((time) => Math.round(time / delay))
            .sort((a, b) => a - b);
          expect(slots).toEqual(slots.map((_, k) => k));
          expect(Math.max(-1, ...visits)).toBeLessThan(Math.min(Number.POSITIVE_INFINITY, ...revisits));
          const blur = expectedBlur(site, { visits, revisits });
          expect(blur).toBeLessThanOrEqual(blurLimit * expectedBlur(site, sharcRevisits(site)) + 1e-9);
        },
      ),
    );
  });

  test('a loose limit => sharp-and-clear at its least weight; a tight one costs sharp pages, not more', () => {
    const site = { rates: Array.from({ length: 60 }, (_, i) => (((i * 37) % 60) / 60) ** 3 / 20), delay: 1 };
    const loose = sharpestWithin(site, { blurLimit: 100 });
    expect(loose.visits).toEqual(sharpAndClear(site, { blurWeight: 0.1 }).visits);
    const tight = sharpestWithin(site, { blurLimit: 1.02 });
    expect(expectedSharp(site, tight)).toBeLessThanOrEqual(expectedSharp(site, loose));
    expect(expectedSharp(site, tight)).toBeGreaterThan(expectedSharp(site, sharcRevisits(site)));
  });

  test('rates that vary by the hour but come to the same => the blur of the climb is that of the formula', () => {
    const site = { rates: [0, 1, 2, 3, 4, 5], delay: 1 };
    const plain = new Climb(site, undefined);
    const byHour = new Climb(site, (page, time) => (site.rates[page] as number) * time);
    const schedule = sharcRevisits(site);
    expect(plain.blur(schedule)).toBeCloseTo(22.5909, 4);
    expect(byHour.blur(schedule)).toBeCloseTo(22.5909, 4);
  });

  test.each([0.5, Number.NaN])('a limit of %d => refused', (blurLimit) => {
    expect(() => sharpestWithin({ rates: [1], delay: 1 }, { blurLimit })).toThrow('must be >= 1');
  });
});
