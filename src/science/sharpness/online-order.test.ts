import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectedBlur } from './blur.ts';
import { breadthFirst, byRate, crawlOrder, depthFirst, type OnlineStrategy } from './online-order.ts';
import { sharcOffline } from './organ-pipe.ts';
import { RateBag } from './rate-bag.ts';
import type { SiteToCapture } from './schedule.ts';
import { phase, sharcOnline } from './sharc-online.ts';
import { ONLINE_STRATEGIES, strategy } from './strategies.ts';

const TREE = [[1, 2], [3, 4], [5], [], [], []];
const site: SiteToCapture = { rates: [0, 1, 2, 3, 4, 5], delay: 1 };
const tree: SiteToCapture = { ...site, links: (page) => TREE[page] ?? [] };

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
