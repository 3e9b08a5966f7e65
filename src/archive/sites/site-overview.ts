import type { Crawl } from '../../model/crawl.ts';
import { siteOf as hostOf } from '../../model/site.ts';
import type { SiteBounds } from '../../model/site-bounds.ts';
import type { Millis } from '../../model/time.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { siteChangeRate } from '../../science/importance/site-change-rate.ts';
import { sumOfPages } from '../../science/importance/site-importance.ts';
import { newSiteSize, type SizeEstimate } from '../../science/policy/sites/new-site-size.ts';
import type { SiteStanding } from '../../science/policy/sites/site-priority.ts';
import { openPageRates } from '../../stages/page-rates.ts';
import {
  type LinkCatalog,
  type LinkedWeb,
  linkedFromOutside,
  pagesOfSites,
  readLinkedWeb,
} from './linked-web.ts';

export type OverviewCatalog = LinkCatalog & Pick<Catalog, 'sites' | 'crawls' | 'tally' | 'pageHistories'>;

/** A site that the archive has pages of. */
export interface ArchivedSite extends SiteStanding {
  /** Known URLs of the site, archived ones included. */
  readonly known: number;
  /** The last crawl in which somebody said how the site is to be read; absent where it came in other ways. */
  readonly model?: Crawl;
  /** Where to begin: as crawls did at each of its hosts, else at the shortest address there. */
  readonly urls: readonly string[];
}

/** A site that archived pages link to, and of which nothing was read. */
export interface NewSite extends SiteStanding {
  /** Where to begin: its most important known URLs. */
  readonly urls: readonly string[];
  readonly known: number;
  readonly size: SizeEstimate;
}

export interface SitesOverview {
  readonly web: LinkedWeb;
  readonly archived: readonly ArchivedSite[];
  readonly fresh: readonly NewSite[];
}

/** Starting URLs of a new site. */
const BEGIN_WITH = 10;

/**
 * What the archive knows of its sites, and of those that it only knows from links. Addresses that are out are
 * never starting points.
 */
export async function sitesOverview(
  catalog: OverviewCatalog,
  now: Millis,
  isOut: (url: string) => boolean = () => false,
): Promise<SitesOverview> {
  const ways = new WaysIn(catalog.siteBounds(), isOut);
  const web = await readLinkedWeb(catalog, (_, url) => ways.add(url));
  const importance = sumOfPages(web, web.importance);
  const pagesOf = pagesOfSites(web);
  const crawls = await crawlsBySite(catalog);
  const number = new Map(web.names.map((name, id) => [name, id]));
  const archived: ArchivedSite[] = [];
  for (const { site, pages, lastAt } of await catalog.sites()) {
    // Hosts that only serve images and styles are not sites to read.
    if (pages === 0) continue;
    // A site whose pages all redirect elsewhere has none in the web: its incoming links count for the
    // targets.
    const id = number.get(site);
    const own = id === undefined ? new Int32Array() : pagesOf(id);
    const past = crawls.get(site);
    archived.push({
      site,
      pages,
      known: own.length,
      importance: id === undefined ? 0 : (importance[id] as number),
      changeRate: await changeRateOf(site, own, { web, catalog, now }),
      lastRead: past?.lastRead ?? lastAt,
      failures: past?.failures ?? 0,
      urls: ways.of(site, past?.seeds),
      ...(past?.model && { model: past.model }),
    });
  }
  const linked = linkedFromOutside(web);
  const read = archived.map((one) => ({
    pages: one.pages,
    linked: linked[number.get(one.site) ?? -1] ?? 0,
  }));
  const mean = siteChangeRate(archived.map((one) => ({ rate: one.changeRate, importance: one.importance })));
  const isArchived = new Set(archived.map(({ site }) => site));
  const fresh: NewSite[] = [];
  for (const [id, site] of web.names.entries()) {
    if (site === '' || isArchived.has(site)) continue;
    const past = crawls.get(site);
    const size = newSiteSize(linked[id] ?? 0, read);
    const own = pagesOf(id);
    const first = [...own].sort((a, b) => (web.importance[b] as number) - (web.importance[a] as number));
    fresh.push({
      site,
      pages: size.pages,
      size,
      known: own.length,
      urls: (await web.urlsOf(first.slice(0, BEGIN_WITH))).filter((url) => !isOut(url)),
      importance: importance[id] as number,
      changeRate: mean,
      // A site that was tried in vain counts as tried then.
      ...(past && { lastRead: past.lastRead }),
      failures: past?.failures ?? 0,
    });
  }
  return { web, archived, fresh };
}

/** c̄h(S), from what visits of its archived pages saw. */
async function changeRateOf(
  site: string,
  pages: Int32Array,
  { web, catalog, now }: { readonly web: LinkedWeb; readonly catalog: OverviewCatalog; readonly now: Millis },
): Promise<number> {
  const rates = await openPageRates([site], catalog);
  const read = [...pages].filter((page) => web.isRead[page] === 1);
  const urls = await web.urlsOf(read);
  return siteChangeRate(
    read.map((page, i) => ({
      rate: rates.rateOf(urls[i] as string, 0, now),
      importance: web.importance[page] as number,
    })),
  );
}

interface SitePast {
  /** When the last crawl began. */
  readonly lastRead: Millis;
  /** The last crawl that was not a refresh: budgets and flags of a refresh are its own. */
  readonly model?: Crawl;
  readonly failures: number;
  readonly isSettled: boolean;
  /** From the last crawl that began at each host of the site. */
  readonly seeds: ReadonlyMap<string, readonly string[]>;
}

const NEVER_READ: SitePast = { lastRead: 0, failures: 0, isSettled: false, seeds: new Map() };

/** The last crawl that was to begin at each site, and how many in a row brought nothing from it. */
async function crawlsBySite(
  catalog: Pick<Catalog, 'crawls' | 'tally' | 'siteBounds'>,
): Promise<ReadonlyMap<string, SitePast>> {
  const bounds = catalog.siteBounds();
  const newest = (await catalog.crawls()).toSorted((a, b) => b.startedAt - a.startedAt || b.id - a.id);
  const past = new Map<string, SitePast>();
  for (const crawl of newest) {
    const own = seedsBySite(crawl, bounds);
    const isOpen = [...own.keys()].some((site) => !past.get(site)?.isSettled);
    const tally = isOpen ? await catalog.tally(crawl.id) : undefined;
    for (const [site, seeds] of own) {
      const known = past.get(site) ?? NEVER_READ;
      const model = known.model ?? (crawl.spec.refresh ? undefined : crawl);
      const before = {
        ...known,
        lastRead: Math.max(known.lastRead, crawl.startedAt),
        ...(model && { model }),
      };
      const all = new Map([...seeds, ...before.seeds]);
      if (before.isSettled) past.set(site, { ...before, seeds: all });
      else {
        const row = tally?.sites.find((one) => one.site === site);
        const brought = row ? row.captured + row.unchanged + (row.dropped ?? 0) + row.redirects : 0;
        // A crawl that was stopped before it got that far says nothing.
        const isSettled = brought > 0 || crawl.state !== 'finished';
        past.set(site, { ...before, isSettled, failures: before.failures + (isSettled ? 0 : 1), seeds: all });
      }
    }
  }
  return past;
}

/** Seeds by site and host. */
function seedsBySite(
  { spec }: Crawl,
  { siteOf }: SiteBounds,
): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const sites = new Map<string, Map<string, string[]>>();
  for (const seed of spec.seeds) {
    if (!URL.canParse(seed)) continue;
    const hosts = sites.get(siteOf(seed)) ?? new Map<string, string[]>();
    sites.set(siteOf(seed), hosts);
    hosts.set(hostOf(seed), [...(hosts.get(hostOf(seed)) ?? []), seed]);
  }
  return sites;
}

/** The shortest address on each host that a site has archived pages on: the entry point that people use. */
class WaysIn {
  readonly #sites = new Map<string, Map<string, string>>();
  readonly #siteOf: SiteBounds['siteOf'];

  readonly #isOut: (url: string) => boolean;

  constructor({ siteOf }: SiteBounds, isOut: (url: string) => boolean) {
    this.#siteOf = siteOf;
    this.#isOut = isOut;
  }

  add(url: string): void {
    if (this.#isOut(url)) return;
    const site = this.#siteOf(url);
    const hosts = this.#sites.get(site) ?? new Map<string, string>();
    this.#sites.set(site, hosts);
    const known = hosts.get(hostOf(url));
    if (known === undefined || url.length < known.length) hosts.set(hostOf(url), url);
  }

  /** As crawls began at each host, else its shortest address. */
  of(site: string, seeds: SitePast['seeds'] = new Map()): readonly string[] {
    const hosts = this.#sites.get(site);
    const begun = (host: string): readonly string[] =>
      (seeds.get(host) ?? []).filter((url) => !this.#isOut(url));
    if (!hosts) return [...seeds.keys()].flatMap(begun);
    return [...hosts].flatMap(([host, url]) => {
      const own = begun(host);
      return own.length > 0 ? own : [url];
    });
  }
}
