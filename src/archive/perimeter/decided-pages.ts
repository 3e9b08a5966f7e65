import type { Decision } from '../../model/decision.ts';
import { targetKind } from '../../model/decision-target.ts';
import { type ConnectOptions, settledUrl } from '../given/seed-addresses.ts';
import { type WebAddress, webAddress } from '../given/web-address.ts';

/**
 * Pages, and front pages of sites, that decisions take in; whether they still do is checked at their turn. Sites have
 * no scheme: as with seeds, https is used unless only http answers.
 */
export async function pagesIn(
  decisions: readonly Decision[],
  mayJoin: (url: string) => boolean,
  options: ConnectOptions,
): Promise<readonly string[]> {
  const addresses = decisions.flatMap(({ act, target }): WebAddress[] => {
    const address = act.kind === 'in' && targetKind(target) !== 'pattern' ? webAddress(target) : undefined;
    return address && mayJoin(address.url) ? [address] : [];
  });
  return Promise.all(addresses.map((address) => settledUrl(address, options)));
}
