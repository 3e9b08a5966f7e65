import type { CrawlBrief, HandedChange, HandedCrawl } from '../../model/worker.ts';
import type { HandedCondition, HandedFilter, HandingOver } from '../../ports/catalog.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { decodeSpec, encodeSpec, optional, storable } from '../names/stored-text.ts';

/** Counts of what was done before stay. */
export function handOver(engine: Engine, crawls: readonly HandingOver[]): Promise<void> {
  return transaction(engine, async (db) => {
    for (const { crawlId, batch, queue, brief } of crawls) {
      if (brief) await writeBrief(db, crawlId, brief);
      const named = { batch: storable(batch), queue: storable(queue) };
      const none = { worker_id: null, ran: 0, pieces: 0, settled: 0, waiting: 0, bytes: 0 };
      await db
        .insertInto('handed_crawls')
        .values({ crawl_id: crawlId, ...named, state: 'waiting', ...none, error: null })
        .onConflict((conflict) =>
          conflict
            .column('crawl_id')
            .doUpdateSet({ ...named, state: 'waiting', error: null })
            .where('handed_crawls.state', '<>', 'running'),
        )
        .execute();
    }
  });
}

async function writeBrief(db: Connection, crawlId: number, brief: CrawlBrief): Promise<void> {
  const row = { brief: encodeSpec(brief) };
  await db
    .insertInto('handed_briefs')
    .values({ crawl_id: crawlId, ...row })
    .onConflict((conflict) => conflict.column('crawl_id').doUpdateSet(row))
    .execute();
}

export async function brief(db: Connection, crawlId: number): Promise<CrawlBrief | undefined> {
  const row = await db
    .selectFrom('handed_briefs')
    .select('brief')
    .where('crawl_id', '=', crawlId)
    .executeTakeFirst();
  return row && (decodeSpec(row.brief) as CrawlBrief);
}

export function forgetHanded(engine: Engine, crawlIds: readonly number[]): Promise<void> {
  return transaction(engine, async (db) => {
    for (const crawlId of crawlIds) {
      await db.deleteFrom('handed_crawls').where('crawl_id', '=', crawlId).execute();
      await db.deleteFrom('handed_briefs').where('crawl_id', '=', crawlId).execute();
    }
  });
}

export async function handedCrawls(
  db: Connection,
  { batch, states, crawlIds }: HandedFilter = {},
): Promise<readonly HandedCrawl[]> {
  if (crawlIds?.length === 0) return [];
  let query = db.selectFrom('handed_crawls').selectAll().orderBy('crawl_id');
  if (batch !== undefined) query = query.where('batch', '=', storable(batch));
  if (states) query = query.where('state', 'in', states);
  // Crawls that are asked for together were begun together, and a statement cannot name a hundred thousand of them.
  const wanted = crawlIds && new Set(crawlIds);
  if (crawlIds) {
    const [first, last] = extent(crawlIds);
    query = query.where('crawl_id', '>=', first).where('crawl_id', '<=', last);
  }
  const rows = (await query.execute()).filter((row) => wanted?.has(row.crawl_id) ?? true);
  return rows.map(({ crawl_id, worker_id, error, ...row }) => ({
    crawlId: crawl_id,
    ...row,
    ...(worker_id !== null && { worker: worker_id }),
    ...(error !== null && { error }),
  }));
}

const extent = (ids: readonly number[]): readonly [number, number] => [
  ids.reduce((least, id) => Math.min(least, id)),
  ids.reduce((most, id) => Math.max(most, id)),
];

export function changeHanded(
  engine: Engine,
  crawlId: number,
  { worker, error, ...change }: HandedChange,
  { states, worker: holder }: HandedCondition = {},
): Promise<boolean> {
  return transaction(engine, async (db) => {
    let query = db
      .updateTable('handed_crawls')
      .set({
        ...change,
        crawl_id: crawlId,
        ...(worker !== undefined && { worker_id: worker }),
        ...(error !== undefined && { error: optional(error ?? undefined) }),
      })
      .where('crawl_id', '=', crawlId);
    if (states) query = query.where('state', 'in', states);
    if (holder !== undefined) query = query.where('worker_id', '=', holder);
    return Number((await query.executeTakeFirst()).numUpdatedRows) > 0;
  });
}
