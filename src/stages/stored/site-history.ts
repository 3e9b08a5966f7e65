import type { Crawl } from '../../model/crawl.ts';
import type { SeenPage } from '../../model/pattern.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { DirectoryHistory } from '../../science/evolution/directory-history.ts';
import { type SitePast, siteVersions } from '../../science/evolution/site-versions.ts';

export type HistoryPorts = Pick<Catalog, 'seenPages' | 'crawls' | 'inferences' | 'siteBounds'>;

/** What the archive knows of the versions of a site; `running` is a crawl of it that is under way. */
export async function sitePast(
  site: string,
  catalog: HistoryPorts,
  running?: Pick<Crawl, 'id' | 'startedAt'>,
): Promise<SitePast> {
  const seen: SeenPage[] = [];
  for await (const pages of catalog.seenPages(site, 0)) seen.push(...pages);
  const inferred = new Map<number, string[]>();
  for (const { crawlId, directory, state } of await catalog.inferences({ site })) {
    if (state === 'visited') continue;
    inferred.set(crawlId, [...(inferred.get(crawlId) ?? []), directory]);
  }
  const { siteOf } = catalog.siteBounds();
  const crawls = (await catalog.crawls())
    .filter(({ id, spec }) => id !== running?.id && spec.seeds.some((seed) => siteOf(seed) === site))
    .map(({ id, startedAt, finishedAt, state }) => ({
      from: startedAt,
      ...(state === 'finished' && finishedAt !== undefined && { to: finishedAt }),
      inferred: inferred.get(id) ?? [],
    }));
  return siteVersions(seen, crawls, running?.startedAt);
}

export function historyOf({ versions }: Pick<SitePast, 'versions'>): DirectoryHistory {
  const history = new DirectoryHistory();
  for (const version of versions) history.add(version);
  return history;
}
