import { expect, it } from 'vitest';
import { SiteFlow } from './site-flow.ts';

/** 0: another site; 1: a front page; 2 … 9: pages of its site. */
const SITES = [0, 1, 1, 1, 1, 1, 1, 1, 1, 1];

it('a page that another site vouches for => the menus of its own site take nothing from it', () => {
  const flow = new SiteFlow(1, SITES);
  flow.read(0, 2, [1]);
  expect(flow.means(1)).toEqual([2]);
  for (let page = 2; page < 10; page++) flow.read(page, -1, [1]);
  expect(flow.means(1)).toEqual([2]);
});

it('menus that say more for it than others do => they add; without other sites they alone count', () => {
  const flow = new SiteFlow(1, SITES);
  flow.read(0, -1, [1]);
  flow.read(2, 3, [1, 3]);
  expect(flow.means(1)[0]).toBeCloseTo((-1 + 3 / 2) / (1 + 1 / 2), 12);
  expect(flow.means(3)).toEqual([3]);
});

it('read again without the link => what went along it is taken back, of both kinds', () => {
  const flow = new SiteFlow(2, SITES);
  flow.read(0, 2, [1]);
  flow.read(1, 1, [2]);
  expect(flow.means(2)).toEqual([1, 2]);
  flow.read(0, 2, [], [1]);
  flow.release(1, [2]);
  expect([flow.means(1), flow.means(2)[1]]).toEqual([[0, 0], 0]);
  expect(flow.waiting()).toEqual([]);
});
