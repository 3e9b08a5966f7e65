import type { Crawl } from '../model/crawl.ts';
import type { InferenceReason } from '../model/inference.ts';
import type { Millis } from '../model/time.ts';
import type { InferenceCatalog, ResultCatalog, SiteCatalog } from '../ports/catalog.ts';

/** A page that nothing is stored of here: a crawl left it to another archive, which saw it last. */
export interface VirtualPage {
  readonly url: string;
  /** The other archive. */
  readonly heldBy: string;
  readonly reason: InferenceReason;
  /** Why it was not read. */
  readonly rule: string;
  /** When the crawl began that left it out. */
  readonly at: Millis;
}

type VirtualCatalog = Pick<ResultCatalog, 'crawls'> &
  Pick<InferenceCatalog, 'virtualDirectories'> &
  Pick<SiteCatalog, 'siteBounds'>;

/** By site, as the last crawl that began at it left them. `pagesOf` may remember those of a crawl. */
export async function virtualPages(
  catalog: VirtualCatalog,
  pagesOf: (crawl: Crawl) => Promise<ReadonlyMap<string, readonly VirtualPage[]>> = (crawl) =>
    virtualIn(catalog, crawl),
): Promise<ReadonlyMap<string, readonly VirtualPage[]>> {
  const { siteOf } = catalog.siteBounds();
  const newest = [...(await catalog.crawls())].sort((a, b) => b.startedAt - a.startedAt || b.id - a.id);
  const told = new Map<string, readonly VirtualPage[]>();
  for (const crawl of newest) {
    const sites = new Set(crawl.spec.seeds.map(siteOf));
    if ([...sites].every((site) => told.has(site))) continue;
    const found = crawl.spec.skipByRules ? await pagesOf(crawl) : new Map<string, readonly VirtualPage[]>();
    for (const site of sites) if (!told.has(site)) told.set(site, found.get(site) ?? []);
  }
  return told;
}

export async function virtualIn(
  catalog: Pick<InferenceCatalog, 'virtualDirectories'>,
  { id, startedAt }: Crawl,
): Promise<ReadonlyMap<string, readonly VirtualPage[]>> {
  const bySite = new Map<string, VirtualPage[]>();
  for (const { site, urls, heldBy, reason, rule } of await catalog.virtualDirectories({ crawlId: id })) {
    const known = bySite.get(site) ?? [];
    bySite.set(site, known);
    for (const url of urls) known.push({ url, heldBy, reason, rule, at: startedAt });
  }
  return bySite;
}
