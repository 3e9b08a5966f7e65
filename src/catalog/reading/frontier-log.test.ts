import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/postgres.ts';
import { batch, crawlWith, entry } from '../conformance/examples.conformance.ts';
import { openPostgresCatalog } from '../engines/postgres.ts';
import { openSqliteCatalog } from '../engines/sqlite.ts';
import type { Tables } from '../tables.ts';
import { logPage } from './frontier-log.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

const entries = Array.from({ length: 3_000 }, (_, i) => entry(`https://example.org/${i}`));

test('a page of the log on SQLite => walks an index in its order, sorts nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  const catalog = await openSqliteCatalog(`${folder}/catalog.sqlite`);
  const { crawlId } = await crawlWith(catalog, entries);
  await catalog.close();
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database: new Database(`${folder}/catalog.sqlite`) }),
  });
  const plan = await logPage(db, crawlId, 1_000, 500).explain<{ detail: string }>(undefined, sql`query plan`);
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
  const steps = plan.map(({ detail }) => detail).join('\n');
  expect(steps).toContain('frontier_by_crawl (crawl_id=? AND id>?)');
  expect(steps).not.toContain('TEMP B-TREE');
});

test('a page of the log on PostgreSQL => reads a page of rows by an index, sorts nothing', async () => {
  const schema = `daguerre_log_${process.pid}`;
  const catalog = await openPostgresCatalog(server.url, { schema });
  const { crawlId } = await crawlWith(catalog, entries);
  await catalog.close();
  const pool = new pg.Pool({ connectionString: server.url, options: `-c search_path=${schema}` });
  await pool.query('analyze');
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const plan = await logPage(db, crawlId, 1_000, 500).explain<{ 'QUERY PLAN': string }>();
  await db.destroy();
  const steps = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(steps).toMatch(/Index Scan using frontier_(by_crawl|pkey) on/);
  expect(steps).not.toContain('Sort');
});

test('a log of 3,000 lines => the event loop turns while it is read', async () => {
  const catalog = await openSqliteCatalog(':memory:');
  const { crawlId } = await crawlWith(catalog, []);
  await catalog.commit(batch(crawlId, { discovered: entries }));
  let turns = 0;
  let reading = true;
  const counting = (async () => {
    while (reading) {
      await turn();
      turns++;
    }
  })();
  let lines = 0;
  for await (const _ of catalog.frontierLog(crawlId)) lines++;
  reading = false;
  await counting;
  expect(lines).toBe(3_000);
  expect(turns).toBeGreaterThanOrEqual(5);
  await catalog.close();
});
