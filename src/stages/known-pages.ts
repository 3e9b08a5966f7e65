import { type CrawlSpec, type NewFrontierEntry, RANKS } from '../model/crawl.ts';
import type { PageGroup } from '../model/page-group.ts';
import { isReadInPart } from '../model/refresh.ts';
import type { Millis } from '../model/time.ts';
import type { CrawledPage, HistoryCatalog, ResultCatalog } from '../ports/catalog.ts';
import type { Scope } from '../ports/scope.ts';
import { longestUnseen } from '../science/policy/longest-unseen.ts';
import {
  DEFAULT_SITE_ORDER,
  SHARC_OFFLINE,
  type SiteOrder,
  siteOrder,
} from '../science/policy/site-order.ts';
import type { PageRates } from './page-rates.ts';
import type { SiteRhythm } from './site-rhythm.ts';
import { knownEntries } from './stored/known-entries.ts';
import { GROUPS_UP_TO, groupsOf, type PageGroupsPorts } from './stored/page-groups.ts';
import { paceOf, plannedOrders } from './stored/planned-orders.ts';

/** The order the crawl follows, and what is known of its sites before it begins. */
export interface CrawlPlan {
  readonly order: SiteOrder;
  /** To be visited even though no link to them was seen yet. */
  readonly entries: readonly NewFrontierEntry[];
  /** Those of them that are pages of the last capture. */
  readonly known: readonly (NewFrontierEntry & { readonly ledBy?: string })[];
  /** Number of pages in the last capture, by host. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** An order was requested for which the archive knows too little. */
export class UnplannableOrder extends Error {
  override readonly name = 'UnplannableOrder';
}

export interface PlanPorts {
  readonly catalog: HistoryCatalog & Pick<ResultCatalog, 'crawls'>;
  readonly scope: Scope;
  readonly rates: PageRates;
  /** When pages change. */
  readonly rhythm: SiteRhythm;
  /** For reading what pages say about each other; without it no groups of pages are looked for. */
  readonly wording?: PageGroupsPorts;
}

/** Pages that a crawl may begin with: of a larger site only the number is used, since they are held in memory while it runs. */
const KNOWN_AT_MOST = 100_000;
/**
 * Share of the page limit that known pages may fill. A capture that ended at its limit knows only a part of the site: if the next one
 * began with all of that, it would never reach the rest.
 */
const SHARE_OF_LIMIT = 0.8;

/**
 * Stage: the last capture of the sites → the order of this one, and the pages it begins with. The default order takes them slot by
 * slot as they wait; it is planned in advance if the hours at which pages change are known, for `sharc-offline`, and for a capture
 * that is to be sharp (its intervals nest only if both halves are planned). A site that is read in part, for lack of budget, begins
 * with what has not been seen for longest.
 */
export async function planCrawl(spec: CrawlSpec, now: Millis, ports: PlanPorts): Promise<CrawlPlan> {
  const isOfPaper = spec.order === SHARC_OFFLINE;
  const wantsPages = isOfPaper || spec.order === DEFAULT_SITE_ORDER;
  const { pages, sizes } = await lastCapture(spec, wantsPages, ports);
  const part = spec.refresh && isReadInPart(spec.refresh, spec.limits.pages) ? spec.refresh : undefined;
  if (part) return { ...(await planPart(part.site, now, ports)), known: [], sizes };
  if (isOfPaper && (pages.length === 0 || ports.rates.known === 0)) {
    throw new UnplannableOrder(
      `--order ${SHARC_OFFLINE} needs pages that were captured twice before: begin with --order ${DEFAULT_SITE_ORDER}`,
    );
  }
  const before = knownEntries(pages, now, ports);
  const ledBy = new Map(before.map(({ url, via }) => [url, via]));
  // They are discovered afresh by the first page of this crawl that links to them.
  const entries = before.map(({ via: _, ...entry }) => entry);
  const isPlanned = isOfPaper || (wantsPages && isNested(spec) && ports.rates.known > 0);
  if (!isPlanned && (!wantsPages || !mayBeginWith(entries, spec)))
    return { order: siteOrder(spec.order), entries: [], known: [], sizes };
  const paces = await lastPaces(pages, ports);
  const groups = spec.revisit === 'agree' ? await lastGroups(entries, now, ports) : [];
  const planned =
    ports.rates.known > 0 ? plannedOrders(entries, spec, now, { ...ports, paces, groups }) : undefined;
  const order = planned ?? siteOrder(spec.order);
  const first = inOrder(entries, order).slice(0, Math.max(0, spec.limits.pages));
  const known = first.map((entry) => {
    const via = ledBy.get(entry.url);
    return via === undefined ? entry : { ...entry, ledBy: via };
  });
  return { order, entries: first, known, sizes };
}

/** Whether visits and revisits must nest: then both halves are planned. */
const isNested = ({ revisit }: CrawlSpec): boolean => revisit === 'sharp' || revisit === 'agree';

/** Pages that must agree, as last archived. */
async function lastGroups(
  entries: readonly NewFrontierEntry[],
  now: Millis,
  { wording }: PlanPorts,
): Promise<readonly PageGroup[]> {
  if (!wording || entries.length > GROUPS_UP_TO) return [];
  const kept = await wording.catalog.keptVersions(
    entries.map(({ url }) => url),
    now,
  );
  const pages = [...kept].map(([url, { recordId, at }]) => ({ url, recordId, at }));
  const earliest = pages.reduce((least, { at }) => Math.min(least, at), now);
  return await groupsOf(pages, earliest, wording);
}

/** How fast the last capture went, by host. */
async function lastPaces(
  pages: readonly CrawledPage[],
  { catalog }: PlanPorts,
): Promise<ReadonlyMap<string, number>> {
  const hosts = new Map<string, { readonly at: Millis | undefined; pages: number }>();
  for (const { url, crawledAt } of pages) {
    const { host } = new URL(url);
    const known = hosts.get(host) ?? { at: crawledAt, pages: 0 };
    known.pages++;
    hosts.set(host, known);
  }
  const crawls = await catalog.crawls();
  const paces = new Map<string, number>();
  for (const [host, { at, pages: count }] of hosts) {
    const crawl = crawls.find(({ startedAt }) => startedAt === at);
    const pace = crawl && paceOf(crawl, count);
    if (pace !== undefined) paces.set(host, pace);
  }
  return paces;
}

/** A perimeter admits pages by the links that lead to them, not because they were there before. */
const mayBeginWith = (entries: readonly NewFrontierEntry[], { limits, perimeter }: CrawlSpec): boolean =>
  perimeter === undefined &&
  entries.length > 0 &&
  entries.length <= KNOWN_AT_MOST &&
  entries.length <= SHARE_OF_LIMIT * limits.pages;

/** The pages of the last capture of each seed's host, and their number. */
async function lastCapture(
  { seeds }: CrawlSpec,
  wantsPages: boolean,
  { catalog }: PlanPorts,
): Promise<{ readonly pages: readonly CrawledPage[]; readonly sizes: ReadonlyMap<string, number> }> {
  const hosts = new Set(seeds.flatMap((seed) => (URL.canParse(seed) ? [new URL(seed).host] : [])));
  const sizes = new Map<string, number>();
  const pages: CrawledPage[] = [];
  for (const host of hosts) {
    let count = 0;
    for await (const page of catalog.pagesOfLastCrawl(host)) {
      count++;
      if (wantsPages) pages.push(page);
    }
    if (count > 0) sizes.set(host, count);
  }
  return { pages, sizes };
}

/** All known pages of the site wait, so that none depends on a link from a page that the budget does not reach. */
async function planPart(
  site: string,
  now: Millis,
  ports: PlanPorts,
): Promise<Pick<CrawlPlan, 'order' | 'entries'>> {
  const lastSeen = new Map<string, Millis>();
  for await (const { url, visits } of ports.catalog.pageHistories(site)) {
    const last = visits.at(-1);
    if (last) lastSeen.set(url, last.at);
  }
  const pages: CrawledPage[] = [];
  for await (const page of ports.catalog.knownPages(site)) pages.push(page);
  const order = longestUnseen(lastSeen);
  return { order, entries: inOrder(knownEntries(pages, now, ports), order) };
}

const inOrder = (entries: readonly NewFrontierEntry[], order: SiteOrder): NewFrontierEntry[] =>
  entries.map((entry, index) => {
    // A person has decided on it: that takes precedence, and is its reason.
    if (entry.rank === RANKS.decided) return entry;
    const candidate = { url: entry.url, depth: entry.depth, batch: 0, index, rate: entry.rate ?? 0 };
    // An order that decides slot by slot gives its reason with the slot.
    const said = [order.choose ? '' : order.reason(candidate), entry.reason];
    const reason = said.filter((words) => words !== '').join('; ');
    return { ...entry, rank: order.rank(candidate), reason };
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
