import { expect, test } from 'vitest';
import type { CrawlSpec } from '../model/crawl.ts';
import { afterRequest, newHost } from '../science/policy/politeness.ts';
import { siteOrder } from '../science/policy/site-order.ts';
import { Courtesy } from './courtesy.ts';
import { Host } from './host.ts';
import { NOTHING_PENDING } from './host-queue.ts';
import { KnownPages } from './known-pages.ts';

const hostOf = (courtesy: Courtesy): Host =>
  new Host('example.org', {
    manners: courtesy.of('example.org'),
    pending: NOTHING_PENDING,
    load: async () => [],
    order: siteOrder('breadth-first'),
    known: new KnownPages(),
    sizeGuess: 0,
    pageLimit: Number.POSITIVE_INFINITY,
  });

const POLITENESS = { delay: 1000, delayFactor: 1, maxDelay: 5000, perHost: 1 } as CrawlSpec['politeness'];

test('a request of one crawl => the other waits for it, and for the pause after it', () => {
  const courtesy = new Courtesy();
  const [one, other] = [hostOf(courtesy), hostOf(courtesy)];
  one.begin();
  one.politeness = afterRequest(one.politeness, 0, POLITENESS, undefined);
  expect(other.inFlight).toBe(1);
  expect(other.freeAt(50)).toBeGreaterThan(50);
  expect(one.freeAt(50)).toBe(Number.POSITIVE_INFINITY);
  one.end();
  expect([other.inFlight, other.politeness.nextAt]).toEqual([0, 1000]);
});

test('a host that was given up => another chance with the next crawl, not before its pause is over', () => {
  const courtesy = new Courtesy();
  const manners = courtesy.of('example.org');
  manners.politeness = { ...newHost(), phase: 'given-up', givenUp: true, nextAt: 7000 };
  courtesy.forgive();
  expect(courtesy.of('example.org').politeness).toMatchObject({ givenUp: false, nextAt: 7000 });
});
