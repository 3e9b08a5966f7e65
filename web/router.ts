/** Hash routes: the server needs no fallback, and every view has an address that can be kept. */
export type Route =
  | { readonly view: 'sites' }
  | { readonly view: 'pages'; readonly site: string }
  | { readonly view: 'captures'; readonly url: string }
  | { readonly view: 'replay'; readonly url: string; readonly timestamp: string; readonly still: boolean }
  | { readonly view: 'crawls' }
  | { readonly view: 'crawl'; readonly id: number }
  | { readonly view: 'unknown'; readonly hash: string };

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = split(hash.replace(/^#/, ''), '?');
  const values = new URLSearchParams(query);
  const { url, at } = named(values.get('url') ?? '', values.get('at'));
  switch (path) {
    case '':
    case '/':
      return { view: 'sites' };
    case '/site':
      return { view: 'pages', site: values.get('site') ?? '' };
    case '/page':
      return url ? { view: 'captures', url } : { view: 'unknown', hash };
    case '/replay':
      return url
        ? { view: 'replay', url, timestamp: at, still: values.get('scripts') === 'off' }
        : { view: 'unknown', hash };
    case '/crawls':
      return { view: 'crawls' };
    case '/crawl': {
      const id = Number(values.get('id') ?? Number.NaN);
      return Number.isInteger(id) ? { view: 'crawl', id } : { view: 'unknown', hash };
    }
    default:
      return { view: 'unknown', hash };
  }
}

/**
 * Addresses and times as on the command line: `example.org@first`, `at=2026-03`. Replay asks by digits, the newest with none
 * and the oldest with the first year of the web.
 */
function named(address: string, time: string | null): { readonly url: string; readonly at: string } {
  const [, before, after] = (time === null && NAMED.exec(address)) || [];
  const url = before ?? address;
  const at = (after ?? time ?? '').toLowerCase();
  return {
    url: url === '' || /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url) ? url : `https://${url}`,
    at: at === 'first' ? FIRST_YEAR : at.replace(/\D/g, ''),
  };
}

const NAMED = /^(.+)@(first|last|\d{4}[\d:.TZ -]*)$/i;
const FIRST_YEAR = '1991';

function split(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

const query = (values: Record<string, string>): string => new URLSearchParams(values).toString();

export const hrefs = {
  sites: '#/',
  crawls: '#/crawls',
  pages: (site: string): string => `#/site?${query({ site })}`,
  // An address that ends as the name of a capture does says that it is none.
  captures: (url: string): string => `#/page?${query(NAMED.test(url) ? { url, at: '' } : { url })}`,
  /** `still`: without archived scripts. */
  replay: (url: string, at: string, still = false): string =>
    `#/replay?${query({ url, at, ...(still ? { scripts: 'off' } : {}) })}`,
  crawl: (id: number): string => `#/crawl?${query({ id: String(id) })}`,
};
