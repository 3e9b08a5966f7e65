import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTrapDetector, type TrapDetector } from './traps.ts';

const NOW = Date.UTC(2022, 0, 30);
const fresh = (url: string) => createTrapDetector().judge(url, NOW)?.trap;
/** Judges and, like a crawl, observes what passed. Returns how many were judged traps. */
function crawl(detector: TrapDetector, urls: Iterable<string>): number {
  let traps = 0;
  for (const url of urls) {
    if (detector.judge(url, NOW)) traps++;
    else detector.observe(url);
  }
  return traps;
}

describe('single URLs that are traps', () => {
  test.each([
    ['https://a.org/shop/cart/shop/cart/shop/cart/', 'trap-repeating-path'],
    ['https://a.org/images/images/images/logo', 'trap-repeating-path'],
    ['https://a.org/en/news/en/about/en/news/en/team/en/x', 'trap-repeating-path'],
    ['https://a.org/list?page=2&page=2&page=2', 'trap-repeating-path'],
    [`https://a.org/${'x'.repeat(2001)}`, 'trap-growing-url'],
    [`https://a.org/${Array.from({ length: 27 }, (_, i) => `s${i}`).join('/')}`, 'trap-growing-url'],
    ['https://a.org/calendar/2031/05/', 'trap-calendar'],
    ['https://a.org/calendar/1971-03-01', 'trap-calendar'],
    ['https://a.org/events/?date=1880-01-01', 'trap-calendar'],
    ['https://a.org/cal.php?year=2150&month=7', 'trap-calendar'],
    [
      'https://a.org/index.php?option=com_jevents&task=month.calendar&year=1899&month=12&day=1',
      'trap-calendar',
    ],
    ['https://a.org/2029/12/01/', 'trap-calendar'],
  ])('%s => %s', (url, trap) => {
    expect(fresh(url)).toBe(trap);
  });
});

describe('ordinary URLs that are not', () => {
  test.each([
    'https://news.example/2022/01/30/parliament-votes-on-budget.html',
    'https://news.example/2022/01/30/',
    'https://news.example/archive/1898/03/12/page-1',
    'https://news.example/1851/09/18/archives/the-first-issue.html',
    'https://news.example/politik/2021-12/regierung-koalition-vertrag',
    'https://example.org/de/de/home',
    'https://example.org/a/b/a/b',
    'https://tiles.example/7/7/7/map',
    'https://example.org/report/2050/',
    'https://example.org/product/20501231',
    'https://example.org/thread/2051/2',
    'https://example.org/view?id=205012',
    'https://example.org/?m=202201',
    'https://example.org/calendar/2022/06/',
    'https://example.org/events?date=1996-03',
    'https://example.org/cal.php?year=1990&month=7',
    'https://example.org/events/2023-09-01/harvest-festival',
    'https://example.org/?s=annual+report',
    'https://example.org/list?tag=a&tag=b&tag=c',
    'https://example.org/wiki/Foo?action=history&year=2010&month=5',
    'https://example.org',
  ])('%s => undefined', (url) => {
    expect(fresh(url)).toBeUndefined();
  });

  test('20 years of a newspaper, day pages and articles => no trap', () => {
    const detector = createTrapDetector();
    const urls: string[] = [];
    for (let day = 0; day < 20 * 365; day++) {
      const [y, m, d] = new Date(NOW - day * 86_400_000).toISOString().slice(0, 10).split('-');
      urls.push(
        `https://news.example/${y}/${m}/${d}/`,
        `https://news.example/${y}/${m}/${d}/story-${day}.html`,
      );
    }
    expect(crawl(detector, urls)).toBe(0);
  });

  test('a content system with 20,000 pages behind ?id= => no trap', () => {
    const urls = Array.from({ length: 20_000 }, (_, i) => `https://a.org/index.php?id=${i}&L=${i % 3}`);
    expect(crawl(createTrapDetector(), urls)).toBe(0);
  });

  test('a forum: 3,000 topics of three pages each => no trap', () => {
    const urls = Array.from({ length: 9_000 }, (_, i) => {
      return `https://a.org/viewtopic.php?f=${i % 12}&t=${Math.floor(i / 3)}&start=${(i % 3) * 15}`;
    });
    expect(crawl(createTrapDetector(), urls)).toBe(0);
  });
});

describe('families of URLs', () => {
  test('faceted search: 20 × 20 × 10 values => 1,000 kept, 3,000 trapped', () => {
    const urls: string[] = [];
    for (let c = 0; c < 20; c++)
      for (let s = 0; s < 20; s++)
        for (let p = 0; p < 10; p++) urls.push(`https://shop.example/list?color=${c}&size=${s}&page=${p}`);
    const detector = createTrapDetector();
    expect(crawl(detector, urls)).toBe(3_000);
    expect(detector.judge('https://shop.example/list?color=1&size=21&page=1', NOW)).toEqual({
      trap: 'trap-query-variants',
      detail: '1000 variants of https://shop.example/list are known',
      rule: '1000 variants of https://shop.example/list are known',
    });
    expect(detector.judge(urls[0] ?? '', NOW)).toBeUndefined();
    expect(detector.judge('https://shop.example/other?color=1', NOW)).toBeUndefined();
  });

  test('one page under many session ids => the first is kept', () => {
    const urls = Array.from(
      { length: 50 },
      (_, i) => `https://a.org/x.jsp;jsessionid=${(i + 1000).toString(16)}?p=1`,
    );
    const detector = createTrapDetector();
    expect(crawl(detector, urls)).toBe(49);
    expect(detector.judge(urls[0] ?? '', NOW)).toBeUndefined();
    expect(detector.judge('https://a.org/y.jsp;jsessionid=77', NOW)).toBeUndefined();
  });

  test('a day calendar walked both ways => ends', () => {
    const urls: string[] = [];
    for (let day = 0; day < 20_000; day++) {
      urls.push(`https://a.org/events/${new Date(NOW + day * 86_400_000).toISOString().slice(0, 10)}`);
      urls.push(`https://a.org/events/${new Date(NOW - day * 86_400_000).toISOString().slice(0, 10)}`);
    }
    const detector = createTrapDetector();
    expect(urls.length - crawl(detector, urls)).toBeLessThanOrEqual(3_001);
  });
});

describe('state', () => {
  const urls = fc.array(
    fc.oneof(
      fc.tuple(fc.nat(9), fc.nat(9)).map(([a, b]) => `https://a.org/list?a=${a}&b=${b}`),
      fc.nat(40).map((d) => `https://a.org/events/2022-02-${String(1 + (d % 28)).padStart(2, '0')}`),
      fc.nat(40).map((s) => `https://a.org/p?PHPSESSID=${s}`),
    ),
    { maxLength: 60 },
  );
  const small = { queryVariants: 10, calendarDates: 5 };

  test('resume: observing what was kept gives the same verdicts', () => {
    fc.assert(
      fc.property(urls, urls, (before, after) => {
        const live = createTrapDetector(small);
        const kept: string[] = [];
        for (const url of before) {
          if (live.judge(url, NOW)) continue;
          live.observe(url);
          kept.push(url);
        }
        const resumed = createTrapDetector(small);
        for (const url of kept) resumed.observe(url);
        for (const url of [...before, ...after])
          expect(resumed.judge(url, NOW)).toEqual(live.judge(url, NOW));
        for (const url of kept) expect(live.judge(url, NOW)).toBeUndefined();
      }),
    );
  });

  test('memory stays bounded: 100 hashes for 20,000 URLs, still works', () => {
    const detector = createTrapDetector({ hashes: 100, queryVariants: 20 });
    for (let i = 0; i < 20_000; i++) {
      detector.observe(`https://a.org/p${'x'.repeat(i % 50)}?a=${i}&PHPSESSID=${i}`);
    }
    expect(detector.judge('https://a.org/new?a=1', NOW)).toBeUndefined();
  });

  test('any text => no throw', () => {
    const detector = createTrapDetector();
    fc.assert(
      fc.property(fc.string(), (text) => {
        detector.judge(text, NOW);
        detector.observe(text);
      }),
    );
  });
});
