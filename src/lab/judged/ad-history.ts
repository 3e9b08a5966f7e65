/**
 * What the last versions of a page say about the hosts that it links to: which of them sold something there before, and
 * where addresses change from visit to visit. The page's own host says nothing, as it serves everything. Measured as
 * evidence for advertisements, but not used in layouts (decisions/0045).
 */
import type { Block, Layout } from '../../model/layout.ts';
import { leavesIn } from '../../science/layout/segment-leaves.ts';

export interface HostPast {
  /** Number of versions that linked to it. */
  readonly versions: number;
  /** Links to it in all versions, and how many of them were advertisements. */
  readonly links: number;
  readonly advertisements: number;
  /** Distinct addresses per link of one version: 1 if they stay, the number of versions if all are always new. */
  readonly turnover: number;
}

/** A host counts as a known seller if at least so many links led to it, and this share of them were advertisements. */
export interface SellerRule {
  readonly links: number;
  readonly share: number;
}

/** By host, excluding the page's own. */
export function hostPasts(pageUrl: string, earlier: readonly Layout[]): Map<string, HostPast> {
  const own = hostOf(pageUrl);
  const found = new Map<string, { versions: number; links: number; ads: number; addresses: Set<string> }>();
  for (const { root } of earlier) {
    const seen = new Set<string>();
    for (const { links } of leavesIn(root, (block: Block) => block.blocks)) {
      for (const { address, advertisement } of links) {
        const host = hostOf(address);
        if (host === undefined || host === own) continue;
        const past = found.get(host) ?? { versions: 0, links: 0, ads: 0, addresses: new Set() };
        found.set(host, past);
        if (!seen.has(host)) past.versions++;
        seen.add(host);
        past.links++;
        if (advertisement) past.ads++;
        past.addresses.add(address);
      }
    }
  }
  return new Map(
    [...found].map(([host, { versions, links, ads, addresses }]) => [
      host,
      { versions, links, advertisements: ads, turnover: (addresses.size * versions) / links },
    ]),
  );
}

/** Whether an address is on a host that sold something on this page before. */
export function knownSellers(
  pageUrl: string,
  earlier: readonly Layout[],
  { links: least, share }: SellerRule,
): (url: string) => boolean {
  const pasts = hostPasts(pageUrl, earlier);
  return (url) => {
    const past = pasts.get(hostOf(url) ?? '');
    return past !== undefined && past.links >= least && past.advertisements >= share * past.links;
  };
}

/** In lower case, without `www.`; undefined if it is not a web address. */
export function hostOf(url: string): string | undefined {
  return /^https?:\/\/(?:[^/?#@]*@)?(?:www\.)?([^/?#:]+)/iu.exec(url)?.[1]?.toLowerCase();
}
