import type { Crawl } from '../../model/crawl.ts';
import type { SeenPage } from '../../model/pattern.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { DirectoryHistory } from '../../science/evolution/directory-history.ts';
import { type CrawlSpan, type SitePast, siteVersions } from '../../science/evolution/site-versions.ts';
import { mergedSightings, toldSite } from '../../science/evolution/told-history.ts';

export type HistoryPorts = Pick<
  Catalog,
  'seenPages' | 'crawls' | 'inferredDirectories' | 'importedPages' | 'importedHistory' | 'siteBounds'
>;

export interface KnownPast extends SitePast {
  /** Pages reported by other archives: the one that saw each last. */
  readonly heldBy: ReadonlyMap<string, string>;
}

/**
 * What is known of the versions of a site, from this archive's own visits and from imported histories; `running` is a crawl
 * of it in progress.
 */
export async function sitePast(
  site: string,
  catalog: HistoryPorts,
  running?: Pick<Crawl, 'id' | 'startedAt'>,
): Promise<KnownPast> {
  const seen: SeenPage[] = [];
  for await (const pages of catalog.seenPages(site, 0)) seen.push(...pages);
  const told = await toldSite(
    catalog.importedPages(site),
    (await catalog.importedHistory(site))?.crawls ?? [],
    running?.startedAt,
  );
  const crawls = [...(await ownCrawls(site, catalog, running)), ...told.crawls];
  const past = siteVersions(mergedSightings(seen, told.seen), crawls, running?.startedAt);
  return { ...past, heldBy: told.heldBy };
}

async function ownCrawls(
  site: string,
  catalog: HistoryPorts,
  running: Pick<Crawl, 'id'> | undefined,
): Promise<readonly CrawlSpan[]> {
  const inferred = new Map<number, string[]>();
  for (const { crawlId, directory, state } of await catalog.inferredDirectories(site)) {
    if (state === 'visited') continue;
    const known = inferred.get(crawlId);
    if (known) known.push(directory);
    else inferred.set(crawlId, [directory]);
  }
  const { siteOf } = catalog.siteBounds();
  return (await catalog.crawls())
    .filter(({ id, spec }) => id !== running?.id && spec.seeds.some((seed) => siteOf(seed) === site))
    .map(({ id, startedAt, finishedAt, state }) => ({
      from: startedAt,
      ...(state === 'finished' && finishedAt !== undefined && { to: finishedAt }),
      inferred: inferred.get(id) ?? [],
    }));
}

export function historyOf({ versions }: Pick<SitePast, 'versions'>): DirectoryHistory {
  const history = new DirectoryHistory();
  for (const version of versions) history.add(version);
  return history;
}
