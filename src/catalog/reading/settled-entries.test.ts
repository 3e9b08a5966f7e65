import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { expect, test } from 'vitest';
import { openSqliteCatalog } from '../engines/sqlite.ts';
import type { Tables } from '../tables.ts';
import { settledEntries } from './settled-entries.ts';

test('how entries turned out, on SQLite => visits and captures are found by URL, not by walking a crawl', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  const path = join(folder, 'catalog.sqlite');
  await (await openSqliteCatalog(path)).close();
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new Database(path) }) });
  const plan = await settledEntries(db, [1]).explain<{ detail: string }>(undefined, sql`query plan`);
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
  const steps = plan.map(({ detail }) => detail).join('\n');
  expect(steps).toMatch(/SEARCH v USING .*\(url_id=\?\)/);
  expect(steps).toMatch(/SEARCH c USING .*\(url_id=\? AND taken_at<\?\)/);
  expect(steps).not.toMatch(/SCAN [vcx]\b|visits_by_crawl/);
});
