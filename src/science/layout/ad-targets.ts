import type { PageSnapshot, SnapshotNode } from '../../model/page-snapshot.ts';
import { linkAddress } from './element-kinds.ts';

/**
 * Links that sell, by where they lead: shops and subscription desks by the words of their host, paid placements by the
 * parameters that advertisers track with. `utm_source` and the like alone prove nothing: partners' stories carry them
 * too.
 */

/** Words of host names, matched whole between dots and hyphens. */
const SELLING_HOSTS = new Set(
  'shop shops shopping store abo abos aboshop abonnement abonnements subscribe subscription subscriptions boutique tienda negozio winkel tickets ticketshop kiosk jobs stellenmarkt stellenanzeigen gutschein gutscheine gutscheincodes coupon coupons deals vorteile preisvergleich lotto casino'.split(
    ' ',
  ),
);

/** Whole path segments. A shorter list: a section of a newspaper may be called `jobs` or `tickets`. */
const SELLING_PATHS = new Set(
  'shop aboshop abo abonnement abonnements subscription subscriptions bestellung bestellen preisvergleich gutscheine gutscheincodes'.split(
    ' ',
  ),
);

/** Parameter names that track affiliates and campaigns, lower-cased and without underscores. */
const SELLING_PARAMETERS = new Set(
  'affiliate affiliateid affiliatecode affid affsub awc tduid advertisementid advertiserid adid adgroup bannerid campaigncode partnerid creativeid'.split(
    ' ',
  ),
);
/** `utm_medium` of paid placements. */
const PAID_MEDIA = /^(?:display|banner|cpc|ppc|cpm|paid|affiliate|native|sponsored)/iu;

const HTTP = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+)(?::\d+)?([^?#]*)(?:\?([^#]*))?/iu;

/** Judges links on one page: on a shop's own pages, links to it do not count as selling. */
export function sellingTargets(pageUrl: string): (url: string) => boolean {
  const [, ownHost = '', ownPath = ''] = HTTP.exec(pageUrl) ?? [];
  const own = new Set([...hostWords(ownHost), ...pathWords(ownPath)]);
  return (url) => {
    const [, host, path = '', query] = HTTP.exec(url) ?? [];
    if (host === undefined) return false;
    if (hostWords(host).some((word) => SELLING_HOSTS.has(word) && !own.has(word))) return true;
    if (pathWords(path).some((word) => SELLING_PATHS.has(word) && !own.has(word))) return true;
    return (query ?? '').split('&').some(isPaid);
  };
}

const pathWords = (path: string): string[] => path.toLowerCase().split('/');
const hostWords = (host: string): string[] => host.toLowerCase().split(/[.-]/u);

function isPaid(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=', 2);
  const plain = name.toLowerCase().replaceAll(/[_-]/gu, '');
  return SELLING_PARAMETERS.has(plain) || (plain === 'utmmedium' && PAID_MEDIA.test(value));
}

/** A list with at least this many entries is a menu, unless most of them sell. */
const MENU_LENGTH = 5;

/**
 * Judges the links of one snapshot, by node. An entry "Shop" or "Abonnieren" in a long list of other links belongs to a
 * menu, whatever the menu is called.
 */
export function sellingLinks({ nodes, url: pageUrl }: PageSnapshot): (link: number) => boolean {
  const sells = sellingTargets(pageUrl);
  const sellsAt = (node: number): boolean | undefined => {
    const element = nodes[node];
    const url = element?.kind === 'element' ? linkAddress(element) : undefined;
    return url === undefined ? undefined : sells(url);
  };
  let inMenu: ((link: number) => boolean) | undefined;
  return (link) => {
    if (!sellsAt(link)) return false;
    inMenu ??= menusOf(nodes, sellsAt);
    return !inMenu(link);
  };
}

/** Whether a link is in a list of at least `MENU_LENGTH` links of which fewer than half sell. */
function menusOf(
  nodes: readonly SnapshotNode[],
  sells: (node: number) => boolean | undefined,
): (link: number) => boolean {
  const list = listsOf(nodes);
  const counts = new Map<number, { links: number; selling: number }>();
  nodes.forEach((_, i) => {
    const selling = sells(i);
    if (selling === undefined) return;
    const count = counts.get(list[i] as number) ?? { links: 0, selling: 0 };
    counts.set(list[i] as number, count);
    count.links++;
    if (selling) count.selling++;
  });
  return (link) => {
    const { links, selling } = counts.get(list[link] as number) ?? { links: 0, selling: 0 };
    return links >= MENU_LENGTH && 2 * selling < links;
  };
}

/** The list each node belongs to: the nearest one around it, or its parent where there is none. */
function listsOf(nodes: readonly SnapshotNode[]): Int32Array {
  const around = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, i) => {
    const isList = node.kind === 'element' && (node.tag === 'ul' || node.tag === 'ol');
    if (isList) around[i] = i;
    else if (node.parent >= 0) around[i] = around[node.parent] as number;
  });
  return Int32Array.from(nodes, (node, i) =>
    (around[i] as number) >= 0 ? (around[i] as number) : node.parent,
  );
}
