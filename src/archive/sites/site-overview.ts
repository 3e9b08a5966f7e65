import type { Crawl } from '../../model/crawl.ts';
import type { SiteBounds } from '../../model/site-bounds.ts';
import type { Millis } from '../../model/time.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { siteChangeRate } from '../../science/importance/site-change-rate.ts';
import { sumOfPages } from '../../science/importance/site-importance.ts';
import { newSiteSize, type SizeEstimate } from '../../science/policy/sites/new-site-size.ts';
import type { SiteStanding } from '../../science/policy/sites/site-priority.ts';
import { openPageRates } from '../../stages/page-rates.ts';
import { type LinkedWeb, linkedFromOutside, readLinkedWeb } from './linked-web.ts';

export type OverviewCatalog = Pick<
  Catalog,
  'sites' | 'pageLinks' | 'siteBounds' | 'crawls' | 'tally' | 'pageHistories'
>;

/** A site that the archive has pages of. */
export interface ArchivedSite extends SiteStanding {
  /** URLs of it that are known; archived ones among them. */
  readonly known: number;
  /** The last crawl that began at it; absent where it came by other roads. */
  readonly crawl?: Crawl;
}

/** A site that archived pages link to, and of which none was read. */
export interface NewSite extends SiteStanding {
  /** Where to begin: the most important URLs that are known of it. */
  readonly urls: readonly string[];
  readonly known: number;
  readonly size: SizeEstimate;
}

export interface SitesOverview {
  readonly web: LinkedWeb;
  readonly archived: readonly ArchivedSite[];
  readonly fresh: readonly NewSite[];
}

/** URLs of a new site to begin with. */
const BEGIN_WITH = 10;

/** What the archive knows of its sites, and of those that it only heard of. */
export async function sitesOverview(catalog: OverviewCatalog, now: Millis): Promise<SitesOverview> {
  const web = await readLinkedWeb(catalog);
  const importance = sumOfPages(web, web.importance);
  const pagesBySite = Array.from({ length: web.sites }, (): number[] => []);
  for (const [page, site] of web.siteOf.entries()) pagesBySite[site]?.push(page);
  const crawls = await crawlsBySite(catalog);
  const seen = new Map((await catalog.sites()).map((row) => [row.site, row]));
  const number = new Map(web.names.map((name, id) => [name, id]));
  const archived: ArchivedSite[] = [];
  for (const { site, pages, lastAt } of seen.values()) {
    const id = number.get(site);
    // Hosts of images and styles alone are no sites to read.
    if (pages === 0 || id === undefined) continue;
    const own = pagesBySite[id] ?? [];
    const past = crawls.get(site);
    archived.push({
      site,
      pages,
      known: own.length,
      importance: importance[id] as number,
      changeRate: await changeRateOf(site, own, { web, catalog, now }),
      lastRead: past?.crawl.startedAt ?? lastAt,
      failures: past?.failures ?? 0,
      ...(past && { crawl: past.crawl }),
    });
  }
  const linked = linkedFromOutside(web);
  const read = archived.map((one) => ({
    pages: one.pages,
    linked: linked[number.get(one.site) ?? -1]?.size ?? 0,
  }));
  const mean = siteChangeRate(archived.map((one) => ({ rate: one.changeRate, importance: one.importance })));
  const fresh = web.names.flatMap((site, id): NewSite[] => {
    const own = pagesBySite[id] ?? [];
    if (site === '' || own.some((page) => page < web.archived)) return [];
    const past = crawls.get(site);
    const size = newSiteSize(linked[id]?.size ?? 0, read);
    const known = own.toSorted((a, b) => (web.importance[b] as number) - (web.importance[a] as number));
    return [
      {
        site,
        pages: size.pages,
        size,
        known: own.length,
        urls: known.slice(0, BEGIN_WITH).map((page) => web.urls[page] as string),
        importance: importance[id] as number,
        changeRate: mean,
        // One that was tried in vain was tried then.
        ...(past && { lastRead: past.crawl.startedAt }),
        failures: past?.failures ?? 0,
      },
    ];
  });
  return { web, archived, fresh };
}

/** c̄h(S), from what visits of its archived pages saw. */
async function changeRateOf(
  site: string,
  pages: readonly number[],
  { web, catalog, now }: { readonly web: LinkedWeb; readonly catalog: OverviewCatalog; readonly now: Millis },
): Promise<number> {
  const rates = await openPageRates([site], catalog);
  return siteChangeRate(
    pages
      .filter((page) => page < web.archived)
      .map((page) => ({
        rate: rates.rateOf(web.urls[page] as string, 0, now),
        importance: web.importance[page] as number,
      })),
  );
}

interface SitePast {
  readonly crawl: Crawl;
  readonly failures: number;
}

/** The last crawl that was told to begin at each site, and how many in a row brought nothing of it. */
async function crawlsBySite(
  catalog: Pick<Catalog, 'crawls' | 'tally' | 'siteBounds'>,
): Promise<ReadonlyMap<string, SitePast>> {
  const bounds = catalog.siteBounds();
  const newest = (await catalog.crawls()).toSorted((a, b) => b.startedAt - a.startedAt || b.id - a.id);
  const past = new Map<string, SitePast>();
  const settled = new Set<string>();
  for (const crawl of newest) {
    const sites = seededSites(crawl, bounds).filter((site) => !settled.has(site));
    if (sites.length === 0) continue;
    const tally = await catalog.tally(crawl.id);
    for (const site of sites) {
      const own = tally.sites.find((one) => one.site === site);
      const brought = own ? own.captured + own.unchanged + (own.dropped ?? 0) + own.redirects : 0;
      const before = past.get(site) ?? { crawl, failures: 0 };
      // One that was stopped before it came that far says nothing.
      if (brought > 0 || crawl.state !== 'finished') settled.add(site);
      past.set(site, settled.has(site) ? before : { ...before, failures: before.failures + 1 });
    }
  }
  return past;
}

const seededSites = ({ spec }: Crawl, { siteOf }: SiteBounds): string[] => [
  ...new Set(spec.seeds.flatMap((seed) => (URL.canParse(seed) ? [siteOf(seed)] : []))),
];
