import type { ApiEvents } from '../../src/server/api-types.ts';

type Arrived = ApiEvents['visit'];

/** Visits that are shown as pictures, and kept for the rate. */
export const SHOWN = 24;
const MINUTE = 60_000;

/** What has come in of a running crawl since somebody watches. */
export interface Arrivals {
  /** Newest first; each page once. */
  readonly pages: readonly Arrived[];
  readonly failures: readonly Arrived[];
  /** Times of the visits of the last minute. */
  readonly recent: readonly number[];
  readonly hosts: readonly string[];
}

export const NO_ARRIVALS: Arrivals = { pages: [], failures: [], recent: [], hosts: [] };

/** `now`: when it was heard. The clock of a demo runs faster than ours. */
export function arrived(before: Arrivals, visit: Arrived, now: number): Arrivals {
  const host = URL.canParse(visit.url) ? new URL(visit.url).host : '';
  return {
    pages: shownOnce([visit, ...before.pages]),
    failures: visit.outcome === 'failed' ? [visit, ...before.failures].slice(0, 10) : before.failures,
    recent: [...before.recent.filter((at) => now - at < MINUTE), now],
    hosts: host === '' || before.hosts.includes(host) ? before.hosts : [host, ...before.hosts].slice(0, 50),
  };
}

/** Those that brought a page, each page once, the first of it. */
export function shownOnce(visits: readonly Arrived[]): readonly Arrived[] {
  const seen = new Set<string>();
  return visits
    .filter(({ url, outcome }) => {
      if ((outcome !== 'captured' && outcome !== 'unchanged') || seen.has(url)) return false;
      seen.add(url);
      return true;
    })
    .slice(0, SHOWN);
}
