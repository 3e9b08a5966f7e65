import type { Selectable } from 'kysely';
import type { Crawl, CrawlSpec } from '../../model/crawl.ts';
import { inTodaysNames } from '../../model/spec-version.ts';
import type { Millis } from '../../model/time.ts';
import type { OpenedCrawl } from '../../ports/catalog.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { decodeSpec, encodeSpec, storable, whole } from '../names/stored-text.ts';
import { RESTORING, type Tables } from '../tables.ts';

/** In a transaction: a statement that is lost alone may have been done or not. */
export function createCrawl(engine: Engine, key: string, spec: CrawlSpec, at: Millis): Promise<Crawl> {
  return transaction(engine, async (db) => crawlOf(await insertCrawl(db, 'running', key, spec, at)));
}

/** Transactions of a shared catalog take turns: the second one finds what the first one made. */
export function openCrawl(engine: Engine, key: string, spec: CrawlSpec, at: Millis): Promise<OpenedCrawl> {
  return transaction(engine, async (db) => {
    const begun = await unfinishedCrawl(db, key);
    if (begun) return { crawl: begun, isNew: false };
    return { crawl: crawlOf(await insertCrawl(db, 'running', key, spec, at)), isNew: true };
  });
}

export function insertCrawl(
  db: Connection,
  state: Tables['crawls']['state'],
  key: string,
  spec: CrawlSpec,
  at: Millis,
): Promise<Selectable<Tables['crawls']>> {
  return db
    .insertInto('crawls')
    .values({ key: storable(key), state, spec: encodeSpec(spec), started_at: whole(at), bytes: 0 })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function unfinishedCrawl(db: Connection, key: string): Promise<Crawl | undefined> {
  const row = await db
    .selectFrom('crawls')
    .selectAll()
    .where('key', '=', storable(key))
    .where('state', 'in', ['running', 'stopped'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && crawlOf(row);
}

export async function hasCrawl(db: Connection, key: string, startedAt: Millis): Promise<boolean> {
  const row = await db
    .selectFrom('crawls')
    .select('id')
    .where('key', '=', storable(key))
    .where('started_at', '=', whole(startedAt))
    .where('state', '<>', RESTORING)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The crawl goes on under other rules, and is found by another key. */
export async function changeCrawl(
  db: Connection,
  crawlId: number,
  key: string,
  spec: CrawlSpec,
): Promise<void> {
  const values = { key: storable(key), spec: encodeSpec(spec) };
  await db.updateTable('crawls').set(values).where('id', '=', crawlId).execute();
}

/** Oldest first. */
export async function crawls(db: Connection): Promise<readonly Crawl[]> {
  const rows = await db
    .selectFrom('crawls')
    .selectAll()
    .where('state', '<>', RESTORING)
    .orderBy('id')
    .execute();
  return rows.map(crawlOf);
}

export async function crawl(db: Connection, crawlId: number): Promise<Crawl | undefined> {
  const row = await db
    .selectFrom('crawls')
    .selectAll()
    .where('id', '=', crawlId)
    .where('state', '<>', RESTORING)
    .executeTakeFirst();
  return row && crawlOf(row);
}

function crawlOf(row: Selectable<Tables['crawls']>): Crawl {
  return {
    id: row.id,
    key: row.key,
    state: row.state as Crawl['state'],
    startedAt: row.started_at,
    ...(row.finished_at !== null && { finishedAt: row.finished_at }),
    spec: inTodaysNames(decodeSpec(row.spec) as CrawlSpec),
  };
}
