import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectedBlur } from './blur.ts';
import { intersection } from './dating.ts';
import { multiVisit, spread } from './multi-visit.ts';
import { breadthFirst, byRate, crawlOrder, depthFirst, type OnlineStrategy } from './online-order.ts';
import { sharcOffline, sharcRevisits } from './organ-pipe.ts';
import { RateBag } from './rate-bag.ts';
import { orderByBits, orderByComparing } from './rate-order.ts';
import { ScheduleInputError, type SiteToCapture } from './schedule.ts';
import { phase, sharcOnline } from './sharc-online.ts';
import { sharcThreshold } from './sharc-threshold.ts';
import { sharpAndClear } from './sharp-and-clear.ts';
import { expectedSharp, sharpPages } from './sharp-pages.ts';
import { ONLINE_STRATEGIES, REVISIT_STRATEGIES, SINGLE_VISIT_STRATEGIES, strategy } from './strategies.ts';

const TREE = [[1, 2], [3, 4], [5], [], [], []];
const site: SiteToCapture = { rates: [0, 1, 2, 3, 4, 5], delay: 1 };
const tree: SiteToCapture = { ...site, links: (page) => TREE[page] ?? [] };
const rates = fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 12 });

function* permutations(n: number): Generator<number[]> {
  const a = Array.from({ length: n }, (_, i) => i);
  const c = new Array(n).fill(0);
  yield a;
  for (let i = 0; i < n; ) {
    if (c[i] < i) {
      const k = i % 2 === 0 ? 0 : c[i];
      [a[k], a[i]] = [a[i] as number, a[k] as number];
      yield a;
      c[i]++;
      i = 0;
    } else c[i++] = 0;
  }
}

describe('conformance: every schedule', () => {
  const everySlot = (times: Float64Array, first: number, delay: number) =>
    expect([...times].map((t) => Math.round(t / delay)).sort((a, b) => a - b)).toEqual(
      Array.from({ length: times.length }, (_, i) => first + i),
    );

  test.each(SINGLE_VISIT_STRATEGIES.map((each) => [each.name, each] as const))(
    '%s => each slot once',
    (_, each) => {
      fc.assert(
        fc.property(
          rates,
          fc.double({ min: 0.1, max: 9, noNaN: true }),
          fc.integer({ min: 1, max: 200 }),
          (list, delay, size) => {
            const links = (page: number) =>
              [2 * page + 1, 2 * page + 2].filter((child) => child < list.length);
            const directories = list.map((_, i) => `d${i % 3}/`);
            everySlot(each.schedule({ rates: list, delay }).visits, 0, delay);
            const online = { rates: list, delay, links, directories, estimatedSize: size };
            everySlot(each.schedule(online).visits, 0, delay);
            expect(each.schedule(online)).toEqual(each.schedule(online));
          },
        ),
        { numRuns: 40 },
      );
    },
  );

  test.each(REVISIT_STRATEGIES.map((each) => [each.name, each] as const))(
    '%s => visits in the first half, revisits in the second',
    (_, each) => {
      fc.assert(
        fc.property(rates, (list) => {
          const { visits, revisits } = each.schedule({ rates: list, delay: 0.5 });
          everySlot(visits, 0, 0.5);
          everySlot(revisits, list.length, 0.5);
        }),
        { numRuns: 30 },
      );
    },
  );

  test.each([...SINGLE_VISIT_STRATEGIES, ...REVISIT_STRATEGIES].map((each) => [each.name, each] as const))(
    '%s: empty, one page, all 0, all equal; bad input refused',
    (_, each) => {
      expect(each.schedule({ rates: [], delay: 1 }).visits).toHaveLength(0);
      expect([...each.schedule({ rates: [2], delay: 1 }).visits]).toEqual([0]);
      everySlot(each.schedule({ rates: [0, 0, 0, 0], delay: 1 }).visits, 0, 1);
      everySlot(each.schedule({ rates: [2, 2, 2], delay: 1 }).visits, 0, 1);
      expect(() => each.schedule({ rates: [1, Number.NaN], delay: 1 })).toThrow(
        'the change rate of page 1 is NaN',
      );
      expect(() => each.schedule({ rates: [-1], delay: 1 })).toThrow(ScheduleInputError);
      expect(() => each.schedule({ rates: [Number.POSITIVE_INFINITY], delay: 1 })).toThrow(
        'must be a finite number',
      );
      expect(() => each.schedule({ rates: [1], delay: 0 })).toThrow('the delay must be');
      expect(() => each.schedule({ rates: [1, 2], delay: 1, weights: [1] })).toThrow('1 weights for 2 pages');
      expect(() => each.schedule({ rates: [1], delay: 1, estimatedSize: 0 })).toThrow('the estimated size');
    },
  );

  test('a name that is none => the names there are', () => {
    expect(() => strategy('sharc')).toThrow(
      /no strategy is named 'sharc'; there are: identity, sharc-offline/,
    );
  });
});

describe('organ pipe', () => {
  test('Example 4.4: λ = 0..5 => slots 0, 5, 1, 4, 2, 3; blur 22.7', () => {
    const schedule = sharcOffline(site);
    expect([...schedule.visits]).toEqual([0, 5, 1, 4, 2, 3]);
    expect(expectedBlur(site, schedule)).toBeCloseTo(22.7, 12);
  });

  test('Theorem 4.5: least blur of all permutations, up to 7 pages, weighted too', () => {
    const page = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 4 }));
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 7 }), (pages) => {
        const weighted = { rates: pages.map(([rate]) => rate), weights: pages.map(([, w]) => w), delay: 1 };
        let least = Number.POSITIVE_INFINITY;
        for (const slots of permutations(pages.length)) {
          least = Math.min(least, expectedBlur(weighted, { visits: Float64Array.from(slots) }));
        }
        expect(expectedBlur(weighted, sharcOffline(weighted))).toBeCloseTo(least, 9);
      }),
      { numRuns: 25 },
    );
  });

  test('Example 7.4: SHARC-revisits => 22.59; the optimum of all visit-revisit pairs is 22.5227', () => {
    const schedule = sharcRevisits(site);
    expect([...schedule.revisits]).toEqual([6, 11, 7, 10, 8, 9]);
    expect(expectedBlur(site, schedule)).toBeCloseTo(22.59, 2);
    let least = Number.POSITIVE_INFINITY;
    const orders: number[][] = [];
    for (const order of permutations(6)) orders.push([...order]);
    for (const visits of orders) {
      for (const revisits of orders) {
        let blur = 0;
        for (let i = 1; i < 6; i++) {
          const v = visits[i] as number;
          const r = 6 + (revisits[i] as number);
          blur += (i * (v * v - (v + r) ** 2 / 4 + r * r - r * 11 + 60.5)) / 11;
        }
        if (blur < least) least = blur;
      }
    }
    expect(orders).toHaveLength(720);
    expect(least).toBeCloseTo(22.5227, 4);
  });

  test('bits => the same order as comparing, ties and -0 too', () => {
    const value = fc.oneof(
      fc.double({ min: 0, max: 1e3, noNaN: true }),
      fc.constantFrom(0, -0, 5e-324, 1, 1e300),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 60 }), (list) => {
        expect([...orderByBits(list)]).toEqual([...orderByComparing(list)]);
      }),
    );
    // Alike in their upper bits: the short way gives up.
    const close = Array.from({ length: 500 }, (_, i) => 1 + (500 - i) * Number.EPSILON);
    expect([...orderByBits(close)]).toEqual([...orderByComparing(close)]);
  });
});

describe('online', () => {
  test('Tables 1, 2, 3: depth-first, breadth-first, SHARC-online', () => {
    expect(crawlOrder(depthFirst, tree)).toEqual([0, 1, 3, 4, 2, 5]);
    expect(crawlOrder(breadthFirst, tree)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(crawlOrder(byRate(sharcOnline), tree)).toEqual([0, 1, 4, 3, 2, 5]);
  });

  test('Examples 5.1-5.3: phases', () => {
    const at = (downloaded: number, waiting: number) =>
      phase({ downloaded, waiting, firstGuess: 6, estimate: 6 });
    expect([at(1, 2), at(2, 3), at(4, 1)]).toEqual(['ascending', 'middle', 'descending']);
  });

  test('a size twice too large => SHARC-online is coldest-first', () => {
    const twice = { ...tree, estimatedSize: 12 };
    expect(crawlOrder(byRate(sharcOnline), twice)).toEqual(
      crawlOrder(ONLINE_STRATEGIES['coldest-first'] as OnlineStrategy, twice),
    );
  });

  test.each(['explore-first', 'adaptive-organ-pipe', 'sharc-online'])(
    '%s, all pages known and the size right => nearly the blur of SHARC-offline',
    (name) => {
      const known = { rates: Array.from({ length: 200 }, (_, i) => (i * 37) % 200), delay: 1 };
      const blur = expectedBlur(known, strategy(name).schedule(known));
      expect(blur / expectedBlur(known, sharcOffline(known))).toBeLessThan(1.01);
    },
  );

  test.each([0.1, 10])(
    'size ×%d => explore-first does not change, adaptive-organ-pipe stays below coldest-first',
    (factor) => {
      const size = 400;
      const wide: SiteToCapture = {
        rates: Array.from({ length: size }, (_, i) => 1 / (1 + ((i * 151) % size))),
        delay: 1,
        links: (page) =>
          Array.from({ length: 20 }, (_, k) => 20 * page + 1 + k).filter((child) => child < size),
        directories: Array.from({ length: size }, (_, i) => `${Math.floor((i - 1) / 20)}/`),
      };
      const wrong = { ...wide, estimatedSize: size * factor };
      expect(strategy('explore-first').schedule(wrong)).toEqual(strategy('explore-first').schedule(wide));
      const blur = (name: string) => expectedBlur(wide, strategy(name).schedule(wrong));
      expect(blur('adaptive-organ-pipe')).toBeLessThan(blur('coldest-first'));
      expect(blur('adaptive-organ-pipe')).toBeLessThan(blur('breadth-first'));
    },
  );

  test('pages no link leads to => fetched all the same', () => {
    expect(crawlOrder(breadthFirst, { ...site, links: () => [] })).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('the bag => a sorted list, whatever is added and taken', () => {
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ take: fc.nat(100) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const bag = new RateBag();
        const list: { page: number; rate: number }[] = [];
        for (const [page, each] of steps.entries()) {
          if ('add' in each) {
            bag.add(page, each.add);
            list.push({ page, rate: each.add });
            list.sort((a, b) => a.rate - b.rate || a.page - b.page);
          } else if (list.length > 0) {
            const index = each.take % list.length;
            expect(bag.takeAt(index)).toBe(list.splice(index, 1)[0]?.page);
          }
          expect(bag.size).toBe(list.length);
        }
      }),
    );
    expect(() => new RateBag().takeAt(0)).toThrow('no page 0 in a bag of 0');
  });
});

describe('threshold', () => {
  const changes = [[], [1], [2, 9], [2, 8, 10], [1, 3, 7, 11], [2, 3, 4, 5, 6, 7]];

  test('Example 7.9 with its errata: (a) p5 hopeless => five sharp; (b) none hopeless => one', () => {
    // p5 alone changes in one delay with a probability above 0.99; p4 with 0.982.
    const a = sharcThreshold({ rates: [0, 0.1, 0.2, 0.3, 0.4, 5], delay: 1 }, 0.99);
    expect(a.hopeless).toEqual([5]);
    expect([...a.visits]).toEqual([1, 2, 3, 4, 5, 0]);
    expect([...a.revisits]).toEqual([10, 9, 8, 7, 6, 11]);
    const sharpA = sharpPages(changes, a);
    const b = sharcThreshold(site, 1);
    expect(b.hopeless).toEqual([]);
    expect(sharpA).toEqual([0, 1, 2, 3, 4]);
    expect(sharpPages(changes, b)).toEqual([0]);
  });

  test('all intervals hold the middle (Theorem 7.6)', () => {
    fc.assert(
      fc.property(
        rates,
        fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
        (list, tau) => {
          const { visits, revisits } = sharcThreshold({ rates: list, delay: 1 }, tau);
          const common = intersection([...visits].map((v, i) => [v, revisits[i] as number] as const));
          expect(common).toEqual([list.length - 1, list.length]);
        },
      ),
    );
  });

  test('chosen by scanning => no fewer expected sharp pages than with none or all hopeless', () => {
    fc.assert(
      fc.property(rates, (list) => {
        const own = { rates: list, delay: 0.3 };
        const chosen = expectedSharp(own, sharcThreshold(own));
        const plain = expectedSharp(own, sharcThreshold(own, 1));
        expect(chosen).toBeGreaterThanOrEqual(plain - 1e-12);
        expect(chosen).toBeGreaterThanOrEqual(expectedSharp(own, sharcThreshold(own, 0)) - 1e-12);
      }),
    );
  });

  test('a threshold that is no probability => refused', () => {
    expect(() => sharcThreshold(site, 1.5)).toThrow('1.5 is not between 0 and 1');
  });
});

describe('sharp-and-clear', () => {
  test('never worth less than nested intervals or the same order twice', () => {
    fc.assert(
      fc.property(rates, fc.double({ min: 0, max: 1, noNaN: true }), (list, mu) => {
        const own = { rates: list, delay: 0.2 };
        const worth = (s: { visits: Float64Array; revisits: Float64Array }) =>
          expectedSharp(own, s) - mu * expectedBlur(own, s);
        const found = sharpAndClear(own, { blurWeight: mu });
        expect(worth(found)).toBeGreaterThanOrEqual(worth(sharcThreshold(own)) - 1e-9);
        expect(worth(found)).toBeGreaterThanOrEqual(worth(sharcRevisits(own)) - 1e-9);
        expect(found.value).toBeCloseTo(worth(found), 6);
      }),
      { numRuns: 40 },
    );
  });

  test('rates that do not vary, given as expected changes => the same worth', () => {
    const own = { rates: [0.1, 0.7, 0.2, 0.4, 0.05], delay: 1 };
    const constant = sharpAndClear(own, {
      expectedChanges: (page, time) => (own.rates[page] as number) * time,
    });
    expect(constant.value).toBeCloseTo(sharpAndClear(own).value, 6);
  });

  test('optimal or close to it on 4 pages, brute force over all pairs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
        (list) => {
          const own = { rates: list, delay: 0.5 };
          let most = Number.NEGATIVE_INFINITY;
          const orders: number[][] = [];
          for (const order of permutations(4)) orders.push([...order]);
          for (const v of orders) {
            for (const r of orders) {
              const s = {
                visits: Float64Array.from(v, (x) => x / 2),
                revisits: Float64Array.from(r, (x) => 2 + x / 2),
              };
              most = Math.max(most, expectedSharp(own, s) - 0.1 * expectedBlur(own, s));
            }
          }
          expect(sharpAndClear(own).value).toBeGreaterThan(most - 0.03);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('multi-visit', () => {
  test('rates 1, 4 and 6 downloads => 2 and 4 visits, at the middles of equal parts', () => {
    const { times, end } = multiVisit({ rates: [1, 4], delay: 1 }, 6);
    expect(end).toBe(6);
    expect(times.map((list) => [...list])).toEqual([
      [1.5, 4.5],
      [0.75, 2.25, 3.75, 5.25],
    ]);
  });

  test('greedy => the least Σ λ/k of all ways to spend the budget', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 3, maxLength: 3 }),
        fc.integer({ min: 3, max: 9 }),
        (list, budget) => {
          const counts = multiVisit({ rates: list, delay: 1 }, budget).times.map((t) => t.length);
          const cost = (k: number[]) => list.reduce((sum, rate, i) => sum + rate / (k[i] as number), 0);
          let least = Number.POSITIVE_INFINITY;
          for (let a = 1; a <= budget; a++)
            for (let b = 1; a + b < budget; b++) least = Math.min(least, cost([a, b, budget - a - b]));
          expect(counts.reduce((a, b) => a + b, 0)).toBe(budget);
          expect(cost(counts)).toBeCloseTo(least, 9);
        },
      ),
    );
  });

  test('spread => distinct slots, order kept; a budget below one visit each => refused', () => {
    const { times } = spread(multiVisit({ rates: [3, 3, 1], delay: 1 }, 7), 1);
    expect([...times.flatMap((list) => [...list])].sort((a, b) => a - b)).toEqual([
      0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5,
    ]);
    expect(() => multiVisit({ rates: [1, 1], delay: 1 }, 1)).toThrow('not enough to visit 2 pages once');
    expect(multiVisit({ rates: [], delay: 1 }, 0).times).toEqual([]);
  });
});
