import type { Crawl } from '../../model/crawl.ts';
import type { ResultCatalog } from '../../ports/catalog.ts';
import { UserError } from '../user-error.ts';

/** A crawl that was stopped or broken off, to be resumed as it was begun: the last one, or the one with this number. */
export async function crawlToResume(
  catalog: Pick<ResultCatalog, 'crawls'>,
  id: number | undefined,
): Promise<Crawl> {
  const crawls = await catalog.crawls();
  const isOpen = ({ state, spec }: Crawl): boolean => state !== 'finished' && spec.watch === undefined;
  const crawl = id === undefined ? crawls.findLast(isOpen) : crawls.find((one) => one.id === id);
  if (!crawl)
    throw new UserError(
      id === undefined
        ? 'no crawl of this archive is unfinished: there is nothing to resume'
        : `there is no crawl ${id} in this archive`,
    );
  if (crawl.state === 'finished')
    throw new UserError(`crawl ${crawl.id} is finished: there is nothing to resume`);
  if (crawl.spec.watch)
    throw new UserError(`crawl ${crawl.id} is a round of a watch: 'daguerre watch' goes on with it`);
  const { supplied = [], ways } = crawl.spec;
  const kinds = [...supplied, ...(ways ? ['proxy'] : [])].map((kind) => `--${kind}`);
  if (kinds.length > 0)
    throw new UserError(
      `crawl ${crawl.id} was begun with ${kinds.join(', ')}, which are not stored: give the same 'daguerre archive' command again to resume it`,
    );
  return crawl;
}
