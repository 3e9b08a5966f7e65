import type { CrawlSpec, NewFrontierEntry } from '../model/crawl.ts';
import { isReadInPart } from '../model/refresh.ts';
import type { Millis } from '../model/time.ts';
import type { CrawledPage, HistoryCatalog } from '../ports/catalog.ts';
import type { Scope } from '../ports/scope.ts';
import { longestUnseen } from '../science/policy/longest-unseen.ts';
import { plannedOrder } from '../science/policy/planned-order.ts';
import {
  DEFAULT_SITE_ORDER,
  SHARC_OFFLINE,
  type SiteOrder,
  siteOrder,
} from '../science/policy/site-order.ts';
import type { PageRates } from './page-rates.ts';
import { knownEntries } from './stored/known-entries.ts';

/** What the crawl is to follow, and what is known of its sites before it begins. */
export interface CrawlPlan {
  readonly order: SiteOrder;
  /** Pages of the last capture, where the order was planned over them: to be visited though no link was seen yet. */
  readonly entries: readonly NewFrontierEntry[];
  /** Pages that the last capture had, by host. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Asked for an order that the archive knows too little for. */
export class UnplannableOrder extends Error {
  override readonly name = 'UnplannableOrder';
}

/**
 * Stage: the last capture of the sites → the order of this one. Planned beforehand over the pages known from it for
 * `sharc-offline`, and for a capture that is to be sharp (its intervals nest only if both halves are planned); else
 * the order decides slot by slot. A site that is read in part, for want of budget, begins with what was not seen for longest.
 */
export async function planCrawl(
  spec: CrawlSpec,
  now: Millis,
  ports: {
    readonly catalog: HistoryCatalog;
    readonly scope: Scope;
    readonly rates: PageRates;
  },
): Promise<CrawlPlan> {
  const hosts = new Set(spec.seeds.flatMap((seed) => (URL.canParse(seed) ? [new URL(seed).host] : [])));
  const sizes = new Map<string, number>();
  const known: CrawledPage[] = [];
  const wantsPlan =
    spec.order === SHARC_OFFLINE || (spec.revisit === 'sharp' && spec.order === DEFAULT_SITE_ORDER);
  const part = spec.refresh && isReadInPart(spec.refresh, spec.limits.pages) ? spec.refresh : undefined;
  for (const host of hosts) {
    let pages = 0;
    for await (const page of ports.catalog.pagesOfLastCrawl(host)) {
      pages++;
      if (wantsPlan) known.push(page);
    }
    if (pages > 0) sizes.set(host, pages);
  }
  if (part) return { ...(await planPart(part.site, now, ports)), sizes };
  if (spec.order === SHARC_OFFLINE && (known.length === 0 || ports.rates.known === 0)) {
    throw new UnplannableOrder(
      `--order ${SHARC_OFFLINE} needs pages that were captured twice before: begin with --order ${DEFAULT_SITE_ORDER}`,
    );
  }
  if (!wantsPlan || known.length === 0 || ports.rates.known === 0)
    return { order: siteOrder(spec.order), entries: [], sizes };
  const entries = knownEntries(known, now, ports);
  const pages = entries.map(({ url, rate = 0 }) => ({ url, rate }));
  const delay = Math.max(spec.politeness.delay, 1) / 1000;
  const order = plannedOrder(pages, spec.order === SHARC_OFFLINE ? 'least-blur' : 'most-sharp', delay);
  return { order, entries: inOrder(entries, order).slice(0, Math.max(0, spec.limits.pages)), sizes };
}

/** All known pages of the site wait, so that none depends on a link from a page that the budget does not reach. */
async function planPart(
  site: string,
  now: Millis,
  ports: Parameters<typeof planCrawl>[2],
): Promise<Pick<CrawlPlan, 'order' | 'entries'>> {
  const lastSeen = new Map<string, Millis>();
  for await (const { url, visits } of ports.catalog.pageHistories(site)) {
    const last = visits.at(-1);
    if (last) lastSeen.set(url, last.at);
  }
  const known: CrawledPage[] = [];
  for await (const page of ports.catalog.knownPages(site)) known.push(page);
  const order = longestUnseen(lastSeen);
  return { order, entries: inOrder(knownEntries(known, now, ports), order) };
}

const inOrder = (entries: readonly NewFrontierEntry[], order: SiteOrder): NewFrontierEntry[] =>
  entries.map((entry, index) => {
    const candidate = { url: entry.url, depth: entry.depth, batch: 0, index, rate: entry.rate ?? 0 };
    return { ...entry, rank: order.rank(candidate), reason: order.reason(candidate) };
  });

/** The seeds, as entries to begin a crawl with. */
export function seedEntries(
  seeds: readonly string[],
  order: SiteOrder,
  rates: PageRates,
  now: Millis,
): readonly NewFrontierEntry[] {
  return seeds.map((url, index) => {
    const rate = rates.rateOf(url, 0, now);
    return {
      kind: 'page',
      url,
      host: new URL(url).host,
      depth: 0,
      extraHops: 0,
      redirects: 0,
      rank: order.rank({ url, depth: 0, batch: 0, index, rate }),
      rate,
      reason: 'seed',
      isSeed: true,
    };
  });
}
