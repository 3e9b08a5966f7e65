import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLinks, parseRates } from '../data/page-tables.ts';
import { onlinePlan } from './online-plan.ts';
import { MULTI_VISIT, PLAN_STRATEGIES, plan } from './plan.ts';
import { isRateList, linkGraph, parseRateList, ratedPages, valuesByPage } from './rated-pages.ts';

/** Fig. 2 of the paper. */
const SITE = { rates: [0, 1, 2, 3, 4, 5], delay: 1 };
const LINKS = 'from\tto\np0\tp1\np0\tp2\np1\tp3\np1\tp4\np2\tp5\n';

describe('plan: worked examples, λ = (0,1,2,3,4,5), Δ = 1', () => {
  test.each([
    ['identity', 27.5],
    ['sharc-offline', 22.7],
    ['identity-doubled', 545 / 22],
    ['sharc-revisits', 22.5909],
    ['explore-first', 22.7],
    ['sharc-online', 22.7],
    ['multi-visit', 0 + 3 + 3 + 4.5 + 4 + 5],
  ])('%s => expected blur %d', (strategy, blur) => {
    expect(plan(SITE, { strategy }).blur).toBeCloseTo(blur, 4);
  });

  test('sharc-offline => visits[i] is the time of the page with the i-th rate, in any order given', () => {
    expect(plan(SITE, { strategy: 'sharc-offline' }).visits).toEqual([0, 5, 1, 4, 2, 3]);
    expect(plan({ rates: [5, 0, 3], delay: 2 }, { strategy: 'sharc-offline' }).visits).toEqual([2, 0, 4]);
  });

  test('multi-visit, 12 downloads => visits at (2j−1)T/2k', () => {
    expect(plan(SITE, { strategy: MULTI_VISIT, budget: 12 }).times).toEqual([
      [6],
      [6],
      [3, 9],
      [3, 9],
      [2, 6, 10],
      [2, 6, 10],
    ]);
  });

  test('observed over [0, 10] => ω/10 with ω = t² − 10t + 50', () => {
    const blur = SITE.rates.reduce((sum, rate) => sum + (rate * (rate * rate - 10 * rate + 50)) / 10, 0);
    expect(plan(SITE, { strategy: 'identity', observe: [0, 10] }).blur).toBeCloseTo(blur, 9);
  });

  test('sharp-assignment promises more sharp pages than SHARC-threshold: 1.3704 against 1.3679', () => {
    expect(plan(SITE, { strategy: 'sharp-assignment' }).expectedSharp).toBeCloseTo(1.37036, 5);
    expect(plan(SITE, { strategy: 'sharc-threshold' }).expectedSharp).toBeCloseTo(1.36792, 5);
  });

  describe('Example 7.9, with its errata', () => {
    const changes = [[], [1], [2, 9], [2, 8, 10], [1, 3, 7, 11], [2, 3, 4, 5, 6, 7]];
    const site = { rates: [0, 0.001, 0.002, 0.003, 0.004, 5], delay: 1 };

    test('(a) page 5 is hopeless => five pages are sharp and share a date', () => {
      const result = plan(site, { strategy: 'sharc-threshold', threshold: 0.5, changes });
      expect(result).toMatchObject({ sharp: 5, sharpPages: [0, 1, 2, 3, 4] });
      expect(result.date).toMatchObject({ time: 5.5, range: [5, 6], proven: 5 });
      expect(result.exactBlur).toBeGreaterThan(0);
    });

    test('(b) no page is hopeless => one is sharp', () => {
      expect(plan(site, { strategy: 'sharc-threshold', threshold: 1, changes })).toMatchObject({
        sharp: 1,
        sharpPages: [0],
      });
    });
  });

  test('Eq. 22 by hand: visits 0..2 of three pages', () => {
    // p0 at 0: change at 0.5 blurs [0.5, 2]; p1 at 1: none; p2 at 2: change at 1 blurs [0, 1].
    const { exactBlur } = plan(
      { rates: [1, 1, 1], delay: 1 },
      { strategy: 'identity', changes: [[0.5], [], [1]] },
    );
    expect(exactBlur).toBeCloseTo((1.5 + 1) / 2, 12);
  });

  test('drawn histories => near the expectation, the same for the same seed', () => {
    const options = { strategy: 'sharc-revisits', trials: 300, seed: 'x' };
    const result = plan(SITE, options);
    expect(result.drawn?.exactBlur).toBeGreaterThan(0.9 * result.blur);
    expect(result.drawn?.exactBlur).toBeLessThan(1.1 * result.blur);
    expect(result.drawn?.sharp).toBeCloseTo(result.expectedSharp as number, 0);
    expect(plan(SITE, options)).toEqual(result);
  });
});

describe.each(PLAN_STRATEGIES)('%s', (strategy) => {
  test('any site, also none or one page => a visit for each page, one download a slot, blur finite', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 9, noNaN: true })), {
          maxLength: 12,
        }),
        (rates) => {
          const { visits, revisits, blur } = plan({ rates, delay: 1 }, { strategy });
          expect(visits).toHaveLength(rates.length);
          expect(blur).toBeGreaterThanOrEqual(0);
          if (strategy === MULTI_VISIT) return;
          const slots = [...visits, ...revisits].sort((a, b) => a - b);
          expect(slots).toEqual(slots.map((_, slot) => slot));
        },
      ),
      { numRuns: 30 },
    );
  });

  test.each([[-1], [Number.NaN], [Number.POSITIVE_INFINITY]])('a rate of %d => refused', (rate) => {
    expect(() => plan({ rates: [1, rate], delay: 1 }, { strategy })).toThrow('the change rate of page 1');
  });
});

test.each([
  [{ strategy: 'identity', threshold: 0.5 }, 'a threshold goes with the strategy sharc-threshold'],
  [{ strategy: 'identity', budget: 9 }, 'a budget goes with the strategy multi-visit'],
  [{ strategy: 'sharc-threshold', threshold: 2 }, 'the threshold is a probability'],
  [{ strategy: 'multi-visit', budget: 3 }, 'is not enough to visit 6 pages once'],
  [{ strategy: 'identity', observe: [3, 1] as const }, 'ends at 1, before 3'],
  [{ strategy: 'no-such' }, "no strategy is named 'no-such'"],
])('%j => refused: %s', (options, reason) => {
  expect(() => plan(SITE, options)).toThrow(reason);
});

describe('online-plan: Tables 1 to 3 of the paper', () => {
  const { names, rates } = parseRateList('0,1,2,3,4,5');
  const { links, first } = linkGraph(names, parseLinks(LINKS, 'l.tsv'), 'l.tsv');
  const site = { rates, delay: 1, links, seeds: [first as number], estimatedSize: 6 };

  test.each([
    ['depth-first', [0, 1, 3, 4, 2, 5]],
    ['breadth-first', [0, 1, 2, 3, 4, 5]],
    ['sharc-online', [0, 1, 4, 3, 2, 5]],
  ])('%s => %j', (strategy, order) => {
    expect(onlinePlan(site, strategy)).toMatchObject({ order, size: 6, offlineBlur: expect.closeTo(22.7) });
  });

  test('a strategy that must know all pages => refused', () => {
    expect(() => onlinePlan(site, 'sharc-offline')).toThrow('does not decide page by page');
  });
});

describe('rated pages', () => {
  test.each([
    ['0,1,2', true],
    ['5', true],
    ['', true],
    ['NaN', true],
    ['rates.tsv', false],
  ])('%j is a list of rates => %s', (text, expected) => {
    expect(isRateList(text)).toBe(expected);
  });

  test.each([
    ['1,-2', "rate 2 of 2: a rate must be a finite number >= 0, not '-2'"],
    ['NaN', 'rate 1 of 1'],
    ['1,,2', "rate 2 of 3: a rate must be a finite number >= 0, not ''"],
    ['1,Infinity', "not 'Infinity'"],
  ])('%s => refused: %s', (text, reason) => {
    expect(() => parseRateList(text)).toThrow(reason);
  });

  test('table of page, rate => pages in its order; a page twice or a bad rate is refused with its line', () => {
    expect(ratedPages(parseRates('page\trate\nb\t2\na\t0.5\n', 'r.tsv'))).toEqual({
      names: ['b', 'a'],
      rates: Float64Array.of(2, 0.5),
    });
    expect(() => parseRates('a\t1\na\t2\n', 'r.tsv')).toThrow("r.tsv, line 2: 'a' has a rate already");
    expect(() => parseRates('a\t-1\n', 'r.tsv')).toThrow('r.tsv, line 1: a rate must be a finite number');
  });

  test('tables about other pages => refused; pages of a list also by number', () => {
    const table = { pages: new Map([['1', [7]]]), skipped: 0 };
    expect(valuesByPage(['p0', 'p1'], table, 't.tsv')).toEqual([[], [7]]);
    expect(() => valuesByPage(['a', 'b'], table, 't.tsv')).toThrow("t.tsv: '1' is no page that has a rate");
  });
});
