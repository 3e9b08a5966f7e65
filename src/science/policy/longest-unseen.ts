/**
 * The order for a site that is read only in part, because the rest of a budget does not cover it: seeds, which show what is new;
 * then pages never seen; then those not looked at for longest. That way successive parts add up to the whole site.
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
