/**
 * What the last versions of a page tell of the hosts that it links to: which of them sold there before, and where
 * addresses turn over from visit to visit. The page's own host tells nothing: it has everything. Measured as evidence
 * for advertisements, and not taken into layouts (decisions/0045).
 */
import type { Block, Layout } from '../../model/layout.ts';
import { leavesIn } from '../../science/layout/segment-leaves.ts';

export interface HostPast {
  /** Versions that linked to it. */
  readonly versions: number;
  /** Links to it in all of them, and those of them that were advertisements. */
  readonly links: number;
  readonly advertisements: number;
  /** Different addresses for each link that one version has: 1 where they stay, as many as there are versions where all are new. */
  readonly turnover: number;
}

/** A host is known as a seller where so many links led to it, and this share of them were advertisements. */
export interface SellerRule {
  readonly links: number;
  readonly share: number;
}

/** By host, without those of the page itself. */
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

/** Whether an address leads to a host that sold on this page before. */
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

/** In lower case, without `www.`; undefined where it is no web address. */
export function hostOf(url: string): string | undefined {
  return /^https?:\/\/(?:[^/?#@]*@)?(?:www\.)?([^/?#:]+)/iu.exec(url)?.[1]?.toLowerCase();
}
