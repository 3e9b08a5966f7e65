import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FrontierEntry, RANKS } from '../model/crawl.ts';
import { siteOrder } from '../science/policy/site-order.ts';
import { Courtesy } from './courtesy.ts';
import { Host } from './host.ts';
import { NOTHING_PENDING } from './host-queue.ts';
import { KnownPages } from './known-pages.ts';

const entry = (id: number, rank: number): FrontierEntry => ({
  id,
  kind: 'page',
  url: `http://h/${id}`,
  host: 'h',
  depth: 1,
  extraHops: 0,
  redirects: 0,
  rank,
  rate: rank,
  reason: 'waits for its slot',
  attempts: 0,
  isSeed: false,
  notBefore: 0,
});

const hostOf = (order: string, known = new KnownPages()): Host =>
  new Host('h', {
    manners: new Courtesy().of('example.org'),
    pending: NOTHING_PENDING,
    load: async () => [],
    order: siteOrder(order),
    sizeGuess: 20,
    pageLimit: Number.POSITIVE_INFINITY,
    known,
  });

test.each(['adaptive-organ-pipe', 'sharc-online', 'hottest-first'])(
  '%s: the place that the stored reason names => the page that was taken',
  (order) => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 30 }),
        (rates) => {
          const host = hostOf(order);
          rates.forEach((rate, id) => {
            host.queue.offer(entry(id, rate));
            host.curve.detect(1);
          });
          for (const waiting = rates.toSorted((a, b) => a - b); waiting.length > 0; ) {
            const taken = host.queue.take(0);
            if (!taken) throw new Error('nothing to take');
            const { reason } = host.explained(taken);
            const [, place, of] = /(\d+) of (\d+) from the coldest/.exec(reason) ?? [];
            expect(Number(of)).toBe(waiting.length);
            expect(waiting.splice(Number(place) - 1, 1)).toEqual([taken.rank]);
            host.curve.download(1);
            host.queue.settled(taken);
          }
        },
      ),
    );
  },
);

test('a page from the reserve, one found in the second pass => no rule of the order is named', () => {
  const host = hostOf('adaptive-organ-pipe');
  for (const one of [entry(1, 5), entry(2, RANKS.reserve)]) host.queue.offer(one);
  const reasons = [1, 2].map(() => host.explained(host.queue.take(0) as FrontierEntry).reason);
  expect(reasons[0]).toMatch(/first half, 1 of 1/);
  expect(reasons[1]).toMatch(/from the reserve/);
  host.queue.offer(entry(3, 7));
  host.revisiting = true;
  expect(host.explained(host.queue.take(0) as FrontierEntry).reason).toMatch(/during the second pass/);
});
