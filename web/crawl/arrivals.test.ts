import { expect, it } from 'vitest';
import { arrived, NO_ARRIVALS } from './arrivals.ts';

const visit = (path: string, outcome: 'captured' | 'failed' | 'unchanged' = 'captured') => ({
  ...{ crawl: 1, url: `http://a.org${path}`, at: 5, duration: 1, reason: 'seed', outcome, bytes: 1 },
});

it('pages, a failure, the same page again => newest first, each once, failures apart', () => {
  let all = NO_ARRIVALS;
  for (const one of [visit('/a'), visit('/b'), visit('/c', 'failed'), visit('/a', 'unchanged')])
    all = arrived(all, one, 1000);
  expect(all.pages.map(({ url }) => url)).toEqual(['http://a.org/a', 'http://a.org/b']);
  expect(all.failures.length).toBe(1);
  expect(all.hosts).toEqual(['a.org']);
});

it('visits of more than a minute ago => no part of the rate', () => {
  const all = [0, 30_000, 70_000].reduce((held, now) => arrived(held, visit(`/${now}`), now), NO_ARRIVALS);
  expect(all.recent).toEqual([30_000, 70_000]);
});
