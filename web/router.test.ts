import { describe, expect, it } from 'vitest';
import { hrefs, parseRoute } from './router.ts';

describe('parseRoute', () => {
  it('each href => its own view', () => {
    const url = 'http://x.org/a?b=1&c=2#d';
    expect(parseRoute('')).toEqual({ view: 'sites' });
    expect(parseRoute(hrefs.pages('x.org:80'))).toEqual({ view: 'pages', site: 'x.org:80' });
    expect(parseRoute(hrefs.captures(url))).toEqual({ view: 'captures', url });
    expect(parseRoute(hrefs.replay(url, '20240101'))).toEqual({
      view: 'replay',
      url,
      timestamp: '20240101',
      still: false,
    });
    expect(parseRoute(hrefs.replay(url, '', true))).toMatchObject({ view: 'replay', still: true });
    expect(parseRoute(hrefs.crawl(7))).toEqual({ view: 'crawl', id: 7 });
  });

  it('addresses and times as on the command line => URL and digits', () => {
    const replay = (query: string) => parseRoute(`#/replay?${query}`);
    const url = 'https://example.org/a';
    expect(replay('url=example.org/a')).toEqual({ view: 'replay', url, timestamp: '', still: false });
    expect(replay('url=example.org/a@first')).toEqual({
      view: 'replay',
      url,
      timestamp: '1991',
      still: false,
    });
    expect(replay(`url=${url}@last`)).toEqual({ view: 'replay', url, timestamp: '', still: false });
    expect(replay(`url=${url}&at=2026-03-01T12:00Z`)).toEqual({
      view: 'replay',
      url,
      timestamp: '202603011200',
      still: false,
    });
    expect(replay('url=localhost:80/a@2026-03')).toMatchObject({
      url: 'https://localhost:80/a',
      timestamp: '202603',
    });
  });

  it('an archived URL that itself ends in @2026 => stays whole', () => {
    const url = 'https://example.org/@2026';
    expect(parseRoute(hrefs.captures(url))).toEqual({ view: 'captures', url });
    expect(parseRoute(hrefs.replay(url, ''))).toEqual({ view: 'replay', url, timestamp: '', still: false });
  });

  it('#/page without a URL, #/nowhere => unknown', () => {
    expect(parseRoute('#/page').view).toBe('unknown');
    expect(parseRoute('#/nowhere').view).toBe('unknown');
    expect(parseRoute('#/crawl?id=x').view).toBe('unknown');
  });
});
