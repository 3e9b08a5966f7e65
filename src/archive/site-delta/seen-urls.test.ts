import { describe, expect, test } from 'vitest';
import { SeenUrls } from './seen-urls.ts';

const MOST = 100_000;
const url = (i: number): string => `https://example.org/${i >> 8}/${i}.html`;
const known = (seen: SeenUrls, from: number): number =>
  Array.from({ length: MOST }, (_, i) => seen.add(url(from + i))).filter((was) => was).length;

describe('SeenUrls', () => {
  test('100,000 URLs, each twice => known the second time alone', () => {
    const seen = new SeenUrls();
    expect([known(seen, 0), known(seen, 0)]).toEqual([0, MOST]);
  });

  test('one more than it holds => those before are forgotten, and told as new', () => {
    const seen = new SeenUrls();
    known(seen, 0);
    expect([seen.add(url(MOST)), seen.add(url(MOST)), seen.add(url(5))]).toEqual([false, true, false]);
  });
});
