import { describe, expect, it } from 'vitest';
import { labPorts } from '../../archive/crawl/lab-ports.ts';
import type { SiteCapture } from '../../model/site-capture.ts';
import { urlOf } from '../crawl/newspaper-site.ts';
import { createNewspaper } from '../newspaper/index.ts';
import { captureNewspaper } from './agreement.ts';
import { pairsAt } from './contradictions.ts';

const start = Date.UTC(2026, 10, 9, 7);

describe('a capture of a small newspaper', () => {
  const input = {
    size: 'small',
    seeds: [1],
    hours: [6],
    history: 3,
    start,
    ports: labPorts,
    progress: () => {},
  } as const;

  it('by the crawler, for pages that agree => groups are found, pairs counted, and the same twice', async () => {
    const one = { seed: 1, hours: 6, purpose: 'agree' } as const;
    const row = await captureNewspaper(input, one);
    expect(row.groups).toBeGreaterThan(5);
    expect(row.atDate.pairs).toBeGreaterThan(50);
    expect(row.atDate.proven).toBeGreaterThan(0);
    expect(row.together).toBeLessThanOrEqual(row.groups);
    expect(await captureNewspaper(input, one)).toEqual(row);
  });
});

it('front page before, article after its headline changed => they contradict each other; both after => not', () => {
  const world = createNewspaper({ seed: 1, start, size: 'medium' });
  const DAY = 86_400_000;
  const shows = (path: string, at: number) =>
    world.contentAt('/', at)?.blocks.some(({ items }) => items.some(({ link }) => link?.href === path));
  const headline = (path: string, at: number) =>
    world.contentAt(path, at)?.blocks[0]?.items.find(({ key }) => key === 'headline')?.text;
  const change = world
    .changesBetween(start, start + 14 * DAY)
    .find(
      ({ path, from, state }) =>
        state === 'live' &&
        shows(path, from - 1000) &&
        shows(path, from) &&
        headline(path, from - 1000) !== undefined &&
        headline(path, from - 1000) !== headline(path, from),
    );
  if (!change) throw new Error('no headline changed while the front page showed it');
  const capture = (front: number, article: number): SiteCapture => ({
    ...{ key: 'k', seeds: [], startedAt: front, finishedAt: article, order: 'x', revisit: 'none' },
    pages: [['/', front] as const, [change.path, article] as const].map(([path, at]) => ({
      url: urlOf(path),
      rate: 0,
      visit: { at, recordId: '<r>', sha256: 'aa', status: 200 },
    })),
  });
  const { from } = change;
  expect(pairsAt(capture(from - 1000, from), from, world).contradicting).toBe(1);
  expect(pairsAt(capture(from, from), from, world).contradicting).toBe(0);
  expect(pairsAt(capture(from - 1000, from - 1000), from, world).contradicting).toBe(0);
  expect(pairsAt(capture(from, from), from, world).dead).toBeGreaterThan(0);
});
