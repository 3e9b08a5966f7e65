/** What others do with the same requests, through the same loop: rules that crawlers use, and habits of archives. */
import type { WatchSettings } from '../../loop/watch/watch.ts';
import type { WatchedPage } from '../../model/watch.ts';
import type { RefreshPolicy } from '../../science/policy/refresh/policy.ts';
import type { WatchedWeb } from './watched-web.ts';

export interface Rival {
  readonly name: string;
  readonly web: (web: WatchedWeb) => WatchedWeb;
  readonly settings: (settings: WatchSettings) => WatchSettings;
}

/** Only forced visits, and new pages. */
const NO_RANKING: RefreshPolicy = {
  name: 'forced',
  rank: (state) => ({
    pages: new Int32Array(0),
    scores: new Float32Array(state.size),
    reason: (place) => {
      throw new RangeError(`no visit at place ${place}`);
    },
  }),
};

const WEEK = 7 * 86_400_000;
const HOUR = 3_600_000;

/** Sources are not read and nothing is audited; new pages come first, as in ours. */
const plain = (policy: string): Pick<Rival, 'web' | 'settings'> => ({
  web: withoutSources,
  settings: (settings) => ({ ...settings, policy, shares: { audit: 0 } }),
});

function withoutSources(web: WatchedWeb): WatchedWeb {
  const isPage = ({ tells, weight }: WatchedPage): boolean => tells === undefined || weight > 0;
  return { ...web, known: () => web.known().filter(isPage) };
}

/** Pages without an interval are not visited at all: their weight is 0 and no budget is left for them. */
function everyPage(web: WatchedWeb, everyOf: (page: WatchedPage) => number | undefined): WatchedWeb {
  const forced = (page: WatchedPage): WatchedPage => {
    const every = everyOf(page);
    return every === undefined ? { ...page, weight: 0 } : { ...page, every };
  };
  const { read, relisted } = web;
  return {
    ...web,
    known: () => withoutSources(web).known().map(forced),
    ...(relisted && { relisted: () => relisted().map(forced) }),
    ...(read && {
      read: (url, at, since) => {
        const said = read(url, at, since);
        return { signals: [], discovered: said.discovered.map(forced) };
      },
    }),
  };
}

/** Front pages: the shortest addresses, a site's entry and its sections. */
export const isFront = (url: string): boolean =>
  url
    .replace(/^[a-z]+:\/\/[^/]*/, '')
    .split('/')
    .filter((part) => part !== '').length <= 1;

export const RIVALS: readonly Rival[] = [
  { name: 'round-robin', ...plain('round-robin') },
  { name: 'frequency', ...plain('frequency') },
  { name: 'adaptive-interval', ...plain('adaptive-interval') },
  {
    name: 'whole site weekly',
    web: (web) => everyPage(web, () => WEEK),
    settings: (settings) => ({ ...settings, policy: NO_RANKING, shares: { audit: 0 } }),
  },
  {
    name: 'front pages hourly',
    // New pages are visited once, when they are found.
    web: (web) => everyPage(web, ({ url }) => (isFront(url) ? HOUR : undefined)),
    settings: (settings) => ({ ...settings, policy: NO_RANKING, shares: { audit: 0 } }),
  },
];
