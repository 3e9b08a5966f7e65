import { expect, test } from 'vitest';
import { CRAWL_SETTINGS, crawlSpec } from '../../archive/crawl/crawl-settings.ts';
import { createScope } from '../scope.ts';

const NOW = Date.UTC(2026, 10, 18);
const origin = { url: 'https://a.org/events', depth: 0, extraHops: 0 };
const isTaken = (href: string, ...include: string[]): boolean => {
  const spec = crawlSpec(CRAWL_SETTINGS.parse({ seeds: ['https://a.org/'], include }));
  return createScope(spec).judgeLink(href, origin, NOW).inside;
};

test('a month of 1996 => taken; of 1970 => a trap, unless --include names it', () => {
  expect(isTaken('https://a.org/events?date=1996-03')).toBe(true);
  expect(isTaken('https://a.org/events?date=1970-03')).toBe(false);
  expect(isTaken('https://a.org/events?date=1970-03', '/events')).toBe(true);
  expect(isTaken('https://a.org/events?date=1970-03', '/other')).toBe(false);
});

test('what is a trap of another kind => --include does not make it a page', () => {
  expect(isTaken('https://a.org/a/b/a/b/a/b', '/a/b')).toBe(false);
});
