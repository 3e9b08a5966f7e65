import type { Alert } from '../../model/alert.ts';
import { atomText } from '../feeds/atom.ts';
import { compareAddress } from './alert-payload.ts';

export interface FeedOf {
  /** Address of the feed itself. */
  readonly self: string;
  /** `rule important`, `site example.org`. */
  readonly of: string;
  /** Where the web page is served. */
  readonly base: string;
}

/** Alerts as Atom, newest first. */
export function atomFeed(alerts: readonly Alert[], { self, of, base }: FeedOf): string {
  const entries = alerts.map((alert) => {
    const { id, rule, url, madeAt, kind, summary } = alert;
    return {
      id: `urn:alert:${id}`,
      title: `${url}: ${summary}`,
      at: madeAt,
      address: compareAddress(base, alert),
      about: url,
      categories: [rule, kind],
      summary,
    };
  });
  return atomText({ self, title: `Alerts: ${of}`, entries });
}
