import { describe, expect, it } from 'vitest';
import { hrefs, parseRoute } from './router.ts';

describe('parseRoute', () => {
  it('each href => its own view', () => {
    const url = 'http://x.org/a?b=1&c=2#d';
    expect(parseRoute('')).toEqual({ view: 'sites' });
    expect(parseRoute(hrefs.pages('x.org:80'))).toEqual({ view: 'pages', site: 'x.org:80' });
    expect(parseRoute(hrefs.captures(url))).toEqual({ view: 'captures', url });
    expect(parseRoute(hrefs.replay(url, '20240101'))).toEqual({ view: 'replay', url, timestamp: '20240101' });
    expect(parseRoute(hrefs.crawl(7))).toEqual({ view: 'crawl', id: 7 });
  });

  it('#/page without a URL, #/nowhere => unknown', () => {
    expect(parseRoute('#/page').view).toBe('unknown');
    expect(parseRoute('#/nowhere').view).toBe('unknown');
    expect(parseRoute('#/crawl?id=x').view).toBe('unknown');
  });
});
