import { createScope } from '../../capture/scope.ts';
import type { CrawlSpec } from '../../model/crawl.ts';
import { adFilters } from '../crawl/ad-filters.ts';
import { crawlKey, type FindOptions, findCrawl, inTheOrderItBegan } from '../crawl/find-crawl.ts';
import { mayJoin } from '../crawl/own-site.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { systemClock } from '../system-clock.ts';

/** A crawl of one site that workers are to do: a new one, or one to resume. */
export async function crawlToHandOver(
  archive: Pick<OpenArchive, 'catalog' | 'decisions'>,
  given: CrawlSpec,
  find: FindOptions,
): Promise<{ readonly crawlId: number; readonly spec: CrawlSpec; readonly notes: readonly string[] }> {
  const { catalog } = archive;
  const spec = find.restart ? given : await inTheOrderItBegan(catalog, given);
  if (find.restart) await giveUpBegun(archive, spec);
  const { held } = await archive.decisions();
  const scope = createScope(spec, held, mayJoin(spec, catalog.siteBounds()), await adFilters(spec));
  const { crawl, resumed, notes } = await findCrawl(catalog, spec, systemClock, scope, find);
  const crawlId = crawl.id;
  if (!resumed) return { crawlId, spec, notes };
  // Workers read it from the catalog, and limits and pace may have changed.
  await catalog.changeCrawl(crawlId, crawlKey(spec), spec);
  const resuming = `Resuming crawl ${crawlId}, begun ${new Date(crawl.startedAt).toISOString()}.`;
  return { crawlId, spec, notes: [resuming, ...notes] };
}

/** A worker may be busy with the crawl that is being begun anew. */
async function giveUpBegun({ catalog }: Pick<OpenArchive, 'catalog'>, spec: CrawlSpec): Promise<void> {
  const begun = await catalog.unfinishedCrawl(crawlKey(spec));
  if (begun) await catalog.changeHanded(begun.id, { state: 'withdrawn' }, { states: ['waiting', 'running'] });
}
