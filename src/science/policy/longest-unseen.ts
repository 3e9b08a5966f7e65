/**
 * The order of a site that is read in part, since what is left of a budget does not suffice: seeds, which show what is new;
 * pages that were never seen; then those that were not looked at for longest. So one part after the other makes a whole.
 */
import type { Millis } from '../../model/time.ts';
import type { SiteOrder } from './site-order.ts';

export function longestUnseen(lastSeen: ReadonlyMap<string, Millis>): SiteOrder {
  const name = 'longest-unseen';
  return {
    name,
    rank: ({ url, depth }) => (depth === 0 ? -1 : (lastSeen.get(url) ?? 0)),
    reason: ({ url }) => {
      const at = lastSeen.get(url);
      return `${name}: ${at === undefined ? 'never seen before' : `last seen ${new Date(at).toISOString()}`}`;
    },
  };
}
