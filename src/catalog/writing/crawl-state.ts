import type { CrawlState } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';
import { transaction } from '../engines/engine.ts';
import { whole } from '../names/stored-text.ts';
import { foldCrawl, unfoldCrawl } from './fold-crawl.ts';
import { type BookKeeping, releaseCash } from './importance-book.ts';

/** What is finished is folded, what goes on has its rows again. */
export function setCrawlState(
  keeping: BookKeeping,
  crawlId: number,
  state: CrawlState,
  at: Millis,
): Promise<void> {
  const { engine } = keeping;
  return transaction(engine, async (db) => {
    const result = await db
      .updateTable('crawls')
      .set({ state, finished_at: state === 'finished' ? whole(at) : null })
      .where('id', '=', crawlId)
      .executeTakeFirst();
    if (Number(result.numUpdatedRows) === 0) throw new RangeError(`the catalog has no crawl ${crawlId}`);
    await unfoldCrawl(engine, db, crawlId);
    if (state !== 'finished') return;
    await foldCrawl(engine, db, crawlId);
    // Where others share the catalog thousands of crawls end in a day, and after a few hundred releases the whole book
    // is swept: settling releases there.
    if (!engine.whileAlone) await releaseCash(keeping, db);
  });
}
