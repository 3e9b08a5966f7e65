import { describe, expect, it } from 'vitest';
import { hrefs, parseRoute } from './router.ts';

const LIKELY = { choice: 'likely' };
const shown = (url: string, timestamp: string, still = false, asked: object = LIKELY) => ({
  ...{ view: 'replay', url, timestamp, still, asked },
});

describe('parseRoute', () => {
  it('each href => its own place', () => {
    const url = 'http://x.org/a?b=1&c=2#d';
    expect(parseRoute('')).toEqual({ view: 'today', values: {} });
    expect(parseRoute(hrefs.sites)).toEqual({ view: 'sites', values: {} });
    expect(parseRoute(hrefs.pages('x.org:80'))).toMatchObject({ view: 'site', site: 'x.org:80' });
    expect(parseRoute(hrefs.captures(url))).toMatchObject({ view: 'page', url });
    expect(parseRoute(hrefs.compare(url, '2024', '2025'))).toEqual({
      view: 'compare',
      url,
      from: '2024',
      to: '2025',
    });
    expect(parseRoute(hrefs.replay(url, '20240101'))).toEqual(shown(url, '20240101'));
    expect(parseRoute(hrefs.replay(url, '', true))).toEqual(shown(url, '', true));
    for (const asked of [{ choice: 'before' }, { choice: 'capture', crawl: 12 }] as const)
      expect(parseRoute(hrefs.replay(url, '2024', true, asked))).toEqual(shown(url, '2024', true, asked));
    expect(parseRoute(hrefs.digest(url, { from: '2024-01-01' }))).toMatchObject({ view: 'digest', url });
    expect(parseRoute(hrefs.crawl(7))).toMatchObject({ view: 'crawl', id: 7 });
    expect(parseRoute(hrefs.list('search', { q: 'sea wall', site: '' }))).toEqual({
      view: 'search',
      values: { q: 'sea wall' },
    });
  });

  it('addresses and times as on the command line => URL and digits', () => {
    const replay = (query: string) => parseRoute(`#/replay?${query}`);
    const url = 'https://example.org/a';
    expect(replay('url=example.org/a')).toEqual(shown(url, ''));
    expect(replay('url=example.org/a@first')).toEqual(shown(url, '1991'));
    expect(replay(`url=${url}@last`)).toEqual(shown(url, ''));
    expect(replay(`url=${url}&at=2026-03-01T12:00Z`)).toEqual(shown(url, '202603011200'));
    expect(replay('url=localhost:80/a@2026-03')).toEqual(shown('https://localhost:80/a', '202603'));
  });

  it('a choice that is unknown, one capture without its number => the most likely version', () => {
    for (const more of ['choice=best', 'choice=capture', 'choice=capture&crawl=-1'])
      expect(parseRoute(`#/replay?url=http://x.org/&at=2024&${more}`)).toMatchObject({ asked: LIKELY });
  });

  it('an archived URL that itself ends in @2026 => stays whole', () => {
    const url = 'https://example.org/@2026';
    expect(parseRoute(hrefs.captures(url))).toMatchObject({ view: 'page', url });
    expect(parseRoute(hrefs.compare(url, '1', '2'))).toMatchObject({ view: 'compare', url });
    expect(parseRoute(hrefs.replay(url, ''))).toEqual(shown(url, ''));
    expect(parseRoute(hrefs.digest(url))).toMatchObject({ view: 'digest', url });
  });

  it('what is no time in the place of one => said, never left out in silence', () => {
    const x = 'url=http://x.org/';
    for (const [hash, time] of [
      [`#/replay?${x}&at=junk`, 'junk'],
      [`#/page?${x}&at=zz`, 'zz'],
      [`#/compare?${x}&from=abc&to=2024`, 'abc'],
      [`#/compare?${x}&from=2024&to=-`, '-'],
    ] as const)
      expect(parseRoute(hash)).toEqual({ view: 'unknown', hash, time });
    expect(parseRoute(`#/compare?${x}&from=first&to=2024-03`)).toMatchObject({ from: '1991', to: '202403' });
    expect(parseRoute(`#/page?${x}&at=2024-03-01T12:00:00.5%2B01:00`)).toMatchObject({ view: 'page' });
  });

  it('#/page without a URL, #/nowhere, a name that objects have => unknown', () => {
    for (const hash of ['#/page', '#/nowhere', '#/crawl?id=x', '#/constructor'])
      expect(parseRoute(hash).view).toBe('unknown');
  });
});
