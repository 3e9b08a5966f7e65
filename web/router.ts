import { type AskedChoice, VERSION_CHOICES } from '../src/model/version-choice.ts';

/** Hash routes: the server needs no fallback, and every answer has an address that can be kept. */

/** Places whose address holds nothing but what narrows them down, by the names of the API. */
const LISTS = [
  ...(['today', 'sites', 'search', 'prove', 'crawls', 'plan', 'perimeter'] as const),
  ...(['decisions', 'alerts', 'lab'] as const),
];
export type ListView = (typeof LISTS)[number];
export type Values = Readonly<Record<string, string>>;

export type Route =
  | { readonly view: ListView; readonly values: Values }
  | { readonly view: 'site'; readonly site: string; readonly values: Values }
  | { readonly view: 'page' | 'digest'; readonly url: string; readonly values: Values }
  | { readonly view: 'compare'; readonly url: string; readonly from: string; readonly to: string }
  | {
      readonly view: 'replay';
      readonly url: string;
      /** The moment that is asked for, in digits; none for the newest capture. */
      readonly timestamp: string;
      readonly still: boolean;
      readonly asked: AskedChoice;
    }
  | { readonly view: 'crawl'; readonly id: number; readonly values: Values }
  /** `time`: what stands in the place of a time, and is none. */
  | { readonly view: 'unknown'; readonly hash: string; readonly time?: string };

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = split(hash.replace(/^#/, ''), '?');
  const search = new URLSearchParams(query);
  const values = Object.fromEntries(search);
  const name = path.replace(/^\//, '') || 'today';
  if (isList(name)) return { view: name, values };
  const { url, at } = named(search.get('url') ?? '', search.get('at'));
  const unknown = { view: 'unknown', hash } as const;
  const time = (TIMED.get(name) ?? [])
    .map((one) => values[one] ?? '')
    .find((one) => digitsOf(one) === undefined);
  if (time !== undefined) return { ...unknown, time };
  switch (name) {
    case 'site':
      return { view: name, site: values.site ?? '', values };
    case 'page':
    case 'digest':
      return url ? { view: name, url, values } : unknown;
    case 'compare':
      return url
        ? { view: name, url, from: digitsOf(values.from) ?? '', to: digitsOf(values.to) ?? '' }
        : unknown;
    case 'replay':
      return url
        ? { view: name, url, timestamp: at, still: values.scripts === 'off', asked: askedBy(values) }
        : unknown;
    case 'crawl': {
      const id = Number(values.id ?? Number.NaN);
      return Number.isInteger(id) ? { view: name, id, values } : unknown;
    }
    default:
      return unknown;
  }
}

const isList = (name: string): name is ListView => (LISTS as readonly string[]).includes(name);
/** A choice that is unknown, or one capture without its number, is the default. */
function askedBy({ choice: name, crawl = '' }: Values): AskedChoice {
  const choice = VERSION_CHOICES.find((one) => one === name) ?? 'likely';
  if (choice !== 'capture') return { choice };
  return /^\d{1,9}$/.test(crawl) ? { choice, crawl: Number(crawl) } : { choice: 'likely' };
}

/** Values that are times as replay asks for them, by place. A digest's are checked by who answers it. */
const TIMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['page', ['at']],
  ['replay', ['at']],
  ['compare', ['from', 'to']],
]);
const FIRST_YEAR = '1991';

/** Of a time as people write it; none for the newest; undefined for what is no time. */
function digitsOf(text = ''): string | undefined {
  const given = text.trim().toLowerCase();
  if (given === 'first') return FIRST_YEAR;
  if (given === '' || given === 'last') return '';
  return /^\d[\d:.tz +-]*$/.test(given) ? given.replace(/\D/g, '') : undefined;
}

/**
 * Addresses and times as on the command line: `example.org@first`, `at=2026-03`. Replay asks by digits, the newest with none
 * and the oldest with the first year of the web.
 */
function named(address: string, time: string | null): { readonly url: string; readonly at: string } {
  const [, before, after] = (time === null && NAMED.exec(address)) || [];
  const url = before ?? address;
  return {
    url: url === '' || /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url) ? url : `https://${url}`,
    at: digitsOf(after ?? time ?? '') ?? '',
  };
}

const NAMED = /^(.+)@(first|last|\d{4}[\d:.TZ -]*)$/i;

function split(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

type Given = Readonly<Record<string, string | number | undefined>>;

/** Values that are absent or empty stay out of the address. */
function address(path: string, values: Given = {}): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query ? `#/${path}?${query}` : `#/${path}`;
}

export const hrefs = {
  today: '#/',
  sites: '#/sites',
  crawls: '#/crawls',
  list: (view: ListView, values: Given = {}): string => address(view, values),
  pages: (site: string, values: Given = {}): string => address('site', { site, ...values }),
  // An address that ends as the name of a capture does says that it is none.
  captures: (url: string, values: Given = {}): string =>
    NAMED.test(url) && values.at === undefined
      ? `${address('page', { url, ...values })}&at=`
      : address('page', { url, ...values }),
  compare: (url: string, from: string, to: string): string =>
    // `at` keeps an address that ends as the name of a capture does whole.
    `${address('compare', { url, from, to })}${NAMED.test(url) ? '&at=' : ''}`,
  /** `still`: without archived scripts. `asked`: which version answers for the moment. */
  replay: (url: string, at: string, still = false, asked: AskedChoice = { choice: 'likely' }): string =>
    `#/replay?${new URLSearchParams({
      ...{ url, at },
      ...(still && { scripts: 'off' }),
      ...(asked.choice !== 'likely' && { choice: asked.choice }),
      ...(asked.choice === 'capture' && { crawl: String(asked.crawl) }),
    })}`,
  digest: (url: string, values: Given = {}): string =>
    `${address('digest', { url, ...values })}${NAMED.test(url) ? '&at=' : ''}`,
  crawl: (id: number, values: Given = {}): string => address('crawl', { id, ...values }),
};

/** The same place with other values: the step can be undone by Back. */
export function go(href: string): void {
  location.hash = href;
}
