import { sql } from 'kysely';
import type { CrawlSpec } from '../../model/crawl.ts';
import type { Millis } from '../../model/time.ts';
import { type Connection, type Engine, transaction } from '../engines/engine.ts';
import { insertCrawl } from '../reading/crawl-queries.ts';
import { RESTORING } from '../tables.ts';
import { clearNames, type Names } from './names.ts';

/**
 * A log may have a million lines, more than one transaction should hold; so a crawl is brought back in several, and is hidden until
 * the last. Only one process writes to a catalog: whatever is half restored when the next one begins was left by an attempt
 * that failed.
 */
export async function beginRestoring(
  engine: Engine,
  names: Names,
  [key, spec, at]: readonly [key: string, spec: CrawlSpec, at: Millis],
): Promise<number> {
  const id = await transaction(engine, async (db) => {
    await forgetHalves(db);
    return (await insertCrawl(db, RESTORING, key, spec, at)).id;
  });
  // SQLite reuses the ids of deleted rows, and the names remember in which crawl they were seen.
  clearNames(names);
  return id;
}

async function forgetHalves(db: Connection): Promise<void> {
  const halves = sql`select id from crawls where state = ${RESTORING}`;
  const rules = sql`select id from skips where crawl_id in (${halves})`;
  await sql`update urls set skip_id = null where skip_id in (${rules})`.execute(db);
  await sql`delete from skip_samples where skip_id in (${rules})`.execute(db);
  const tables = ['skips', 'frontier', 'visits', 'crawl_notes', 'inferred_directories', 'folded_entries'];
  for (const name of tables)
    await sql`delete from ${sql.table(name)} where crawl_id in (${halves})`.execute(db);
  await sql`delete from crawls where state = ${RESTORING}`.execute(db);
}
