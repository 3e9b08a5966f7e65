import { expect, test } from 'vitest';
import type { HistoryCatalog, PageHistory } from '../ports/catalog.ts';
import { openPageRates, type PageRates } from './page-rates.ts';

const DAY = 86_400;
const NOW = Date.UTC(2026, 0, 31);
const PRIOR = 1 / 30 / DAY;

/** Visited daily; one letter per visit, the same letter for the same payload. */
function daily(url: string, versions: string, more: Partial<PageHistory> = {}): PageHistory {
  const visits = [...versions].map((sha256, day) => ({
    at: NOW - (versions.length - day) * DAY * 1000,
    sha256,
  }));
  return { url, mime: 'text/html', size: 1000, visits, ...more };
}

function ratesOf(histories: readonly PageHistory[]): Promise<PageRates> {
  const catalog: Pick<HistoryCatalog, 'pageHistories'> = {
    async *pageHistories() {
      yield* histories;
    },
  };
  return openPageRates(['a.example'], catalog);
}

const rate = (rates: PageRates, url: string, hint = {}): number => rates.rateOf(url, 1, NOW, hint);

test('an archive that knows nothing => one change in 30 days, whatever the page', async () => {
  const rates = await ratesOf([]);
  expect(rates.known).toBe(0);
  expect(rate(rates, 'http://a.example/')).toBeCloseTo(PRIOR, 12);
  expect(rate(rates, 'http://a.example/x/y?z')).toBeCloseTo(PRIOR, 12);
});

test('histories => a page that changed daily is hotter than one that never did, by far', async () => {
  const rates = await ratesOf([
    daily('http://a.example/news/', 'abcdefghij'),
    daily('http://a.example/about/us', 'aaaaaaaaaa'),
  ]);
  expect(rates.known).toBe(2);
  expect(rate(rates, 'http://a.example/news/') * DAY).toBeGreaterThan(1);
  expect(rate(rates, 'http://a.example/news/')).toBeGreaterThan(5 * rate(rates, 'http://a.example/about/us'));
});

test('a page never seen => as its directory changes', async () => {
  const rates = await ratesOf(
    Array.from({ length: 10 }, (_, i) => [
      daily(`http://a.example/news/${i}`, 'abcdefghij'),
      daily(`http://a.example/old/${i}`, 'aaaaaaaaaa'),
    ]).flat(),
  );
  const [news, old] = [rate(rates, 'http://a.example/news/x'), rate(rates, 'http://a.example/old/x')];
  expect(news).toBeGreaterThan(3 * old);
});

test('all pages seen twice within seconds, one changed => no rates of hundreds a day', async () => {
  const seconds = (url: string, versions: string): PageHistory => ({
    ...daily(url, ''),
    visits: [...versions].map((sha256, i) => ({ at: NOW + i * 2000, sha256 })),
  });
  const rates = await ratesOf([
    seconds('http://a.example/1', 'ab'),
    ...Array.from({ length: 20 }, (_, i) => seconds(`http://a.example/p${i}`, 'aa')),
  ]);
  expect(rate(rates, 'http://a.example/p3') * DAY).toBeLessThan(2);
  expect(rate(rates, 'http://a.example/unseen') * DAY).toBeLessThan(2);
  expect(rate(rates, 'http://a.example/1')).toBeGreaterThan(rate(rates, 'http://a.example/p3'));
});

test('what a sitemap says => lately modified is hot, long ago cold, hourly hotter than yearly', async () => {
  const rates = await ratesOf([]);
  const of = (hint: object): number => rate(rates, 'http://a.example/x', hint);
  expect(of({ lastModified: NOW - 3_600_000 })).toBeGreaterThan(5 * PRIOR);
  expect(of({ lastModified: NOW - 1000 * DAY * 1000 })).toBeLessThan(PRIOR / 10);
  expect(of({ changeFrequency: 'hourly' })).toBeGreaterThan(of({ changeFrequency: 'yearly' }));
  expect(of({ changeFrequency: 'sometimes' })).toBeCloseTo(PRIOR, 12);
});

test('a page seen once, with Last-Modified => that is its evidence', async () => {
  const modified = (days: number): PageHistory =>
    daily(`http://a.example/${days}`, 'a', { lastModified: new Date(NOW - days * DAY * 1000).toUTCString() });
  const rates = await ratesOf([modified(1), modified(900)]);
  expect(rate(rates, 'http://a.example/1')).toBeGreaterThan(10 * rate(rates, 'http://a.example/900'));
});

test('a clock set back between two visits => the gap teaches nothing', async () => {
  const history = daily('http://a.example/', 'ab');
  const rates = await ratesOf([{ ...history, visits: history.visits.toReversed() }]);
  expect(rates.known).toBe(0);
});
