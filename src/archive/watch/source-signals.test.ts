import { expect, test } from 'vitest';
import { SourceReadings } from './source-signals.ts';

const SOURCE = { url: 'https://e.org/feed', kind: 'feed' as const, at: 1000 };
const items = (...all: readonly (readonly [string, number?])[]) =>
  new Map(all.map(([url, dated]) => [url, dated] as const));
const urls = (signals: readonly { readonly url: string }[]) => signals.map(({ url }) => url);

test('the first reading => pages that were never visited, or are dated after their last visit', () => {
  const visits: Readonly<Record<string, number>> = { a: 500, b: 500, c: 500 };
  const news = new SourceReadings().news(
    SOURCE,
    items(['a', 400], ['b', 600], ['c'], ['d']),
    (url) => visits[url],
  );
  expect(urls(news)).toEqual(['b', 'd']);
  expect(news[0]).toMatchObject({ changedAt: 600, heardAt: 1000, source: SOURCE.url });
});

test('a later reading => what is new in it, or has another date, and nothing else', () => {
  const readings = new SourceReadings();
  const visited = () => 900;
  readings.news(SOURCE, items(['a', 100], ['b', 100], ['c']), visited);
  const again = readings.news({ ...SOURCE, at: 2000 }, items(['a', 100], ['b', 1500], ['c'], ['d']), visited);
  expect(urls(again)).toEqual(['b', 'd']);
  expect(urls(readings.news(SOURCE, items(['a', 100], ['b', 1500], ['c'], ['d']), visited))).toEqual([]);
});

test('a date that lies ahead => a signal without a date', () => {
  const [signal] = new SourceReadings().news(SOURCE, items(['a', 5000]), () => undefined);
  expect(signal).not.toHaveProperty('changedAt');
});
