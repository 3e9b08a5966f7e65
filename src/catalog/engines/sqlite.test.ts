import { mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalogConformance } from '../catalog.conformance.ts';
import { all, batch, capture, crawlWith, entry, SPEC } from '../conformance/examples.conformance.ts';
import { openCatalog } from '../open.ts';
import { openSqliteCatalog } from './sqlite.ts';

const newFolder = () => mkdtemp(join(tmpdir(), 'daguerre-'));

catalogConformance(
  'SQLite',
  async () => {
    const folder = await newFolder();
    return {
      open: (options) => openSqliteCatalog(join(folder, 'catalog.sqlite'), options),
      remove: () => rm(folder, { recursive: true, force: true }),
    };
  },
  { modelRuns: 60 },
);

describe('SQLite file', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await newFolder();
    path = join(folder, 'catalog.sqlite');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const raw = (sql: string): void => {
    const database = new Database(path);
    database.exec(sql);
    database.close();
  };

  it('read-only beside a writer => sees each commit, and writes nothing', async () => {
    const writer = await openCatalog(path);
    const reader = await openCatalog(path, { readonly: true });
    const { crawlId } = await crawlWith(writer, [entry('https://example.org/')]);
    expect(await reader.tally(crawlId)).toMatchObject({ pending: 1 });
    await writer.index({ captures: [capture('https://example.org/', 1)], pages: [], fileLengths: new Map() });
    expect(await all(reader.captures({}))).toHaveLength(1);
    await expect(reader.createCrawl('key', SPEC, 1)).rejects.toMatchObject({ kind: 'read-only' });
    await reader.close();
    await writer.close();
    const later = await openSqliteCatalog(path, { readonly: true });
    expect(await later.tally(crawlId)).toMatchObject({ pending: 1 });
    await later.close();
  });

  it('changes of an earlier schema => their words are found', async () => {
    const url = 'https://example.org/';
    const course = { changed: [], renamed: [], came: [], went: [] };
    const texts = ['Budget', 'Über\nalles'].map((text) => ({
      ...{ op: 'insert' as const, element: 'text' as const, block: 'B1', weight: 0.5, new: text },
    }));
    const first = await openSqliteCatalog(path);
    const changes = [{ url, from: 1, to: 2, importance: 0.5, operations: texts, course }];
    await first.index({ captures: [], pages: [], changes, fileLengths: new Map() });
    await first.close();
    raw('drop table change_words; update schema_version set version = 24');
    const second = await openSqliteCatalog(path);
    expect(await second.changes({ text: 'über' })).toMatchObject([{ url }]);
    expect(await second.changes({ text: 'budget', op: 'insert', element: 'text' })).toMatchObject([{ url }]);
    expect(await second.changes({ text: 'bud alles' })).toEqual([]);
    await second.close();
  });

  it('a listing that is not read to its end => does not block the writer', async () => {
    const catalog = await openSqliteCatalog(path);
    const captures = Array.from({ length: 1_500 }, (_, i) => capture(`https://example.org/${i}`, i));
    await catalog.index({ captures, pages: [], fileLengths: new Map() });
    for await (const { url } of catalog.captures({})) {
      expect(url).toBeDefined();
      await catalog.index({ captures: [capture('https://a.org/', 1)], pages: [], fileLengths: new Map() });
      break;
    }
    await catalog.close();
  });

  it('killed before close => what was committed is there', async () => {
    const catalog = await openSqliteCatalog(path);
    const { crawlId } = await crawlWith(catalog, [entry('https://example.org/')]);
    // A copy of the files as they stand is what a kill leaves behind.
    const copy = join(folder, 'copy.sqlite');
    await writeFile(copy, await readFile(path));
    await writeFile(`${copy}-wal`, await readFile(`${path}-wal`));
    await catalog.close();
    const after = await openSqliteCatalog(copy);
    expect(await after.tally(crawlId)).toMatchObject({ pending: 1 });
    await after.close();
  });

  it('no such file, read-only => unreachable', async () => {
    await expect(openSqliteCatalog(path, { readonly: true })).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('no such folder => unreachable, and names the file', async () => {
    const missing = join(folder, 'none', 'catalog.sqlite');
    await expect(openSqliteCatalog(missing)).rejects.toThrow(missing);
  });

  it('tables of something else => foreign, and the file is left as it was', async () => {
    raw('create table recipes (id integer)');
    const before = await readFile(path);
    await expect(openSqliteCatalog(path)).rejects.toMatchObject({ kind: 'foreign' });
    expect((await readFile(path)).equals(before)).toBe(true);
    raw('create table schema_version (v integer)');
    await expect(openSqliteCatalog(path)).rejects.toMatchObject({ kind: 'foreign' });
  });

  it('a later schema => newer-schema, and says both versions', async () => {
    await (await openSqliteCatalog(path)).close();
    raw('update schema_version set version = 99');
    await expect(openSqliteCatalog(path)).rejects.toThrow(/schema version 99.*knows \d+/);
    await expect(openSqliteCatalog(path)).rejects.toMatchObject({ kind: 'newer-schema' });
  });

  it.each([true, false])(
    'an earlier schema, readonly: %s => older-schema, left as it is',
    async (readonly) => {
      await (await openSqliteCatalog(path)).close();
      raw('update schema_version set version = 1');
      await expect(openSqliteCatalog(path, { readonly })).rejects.toMatchObject({ kind: 'older-schema' });
      await expect(openSqliteCatalog(path, { readonly })).rejects.toThrow('run `daguerre reindex`');
    },
  );

  it.each(['removed', 'replaced'])('%s while it is open => the next commit says so', async (how) => {
    const catalog = await openSqliteCatalog(path);
    const { crawlId } = await crawlWith(catalog, []);
    await rename(path, join(folder, 'elsewhere.sqlite'));
    if (how === 'replaced') await writeFile(path, '');
    const commit = catalog.commit(batch(crawlId, { discovered: [entry('https://example.org/')] }));
    await expect(commit).rejects.toMatchObject({ kind: 'unreachable' });
    await catalog.close();
  });

  it('not a database => damaged, and says how to rebuild', async () => {
    await writeFile(path, 'this is no database, but long enough to be taken for one. '.repeat(100));
    await expect(openSqliteCatalog(path)).rejects.toThrow('daguerre reindex');
  });

  it('bytes overwritten => damaged, and says how to rebuild', async () => {
    const catalog = await openSqliteCatalog(path);
    const captures = Array.from({ length: 2_000 }, (_, i) => capture(`https://example.org/${i}`, i));
    await catalog.index({ captures, pages: [], fileLengths: new Map() });
    await catalog.close();
    const file = await open(path, 'r+');
    const { size } = await file.stat();
    await file.write(Buffer.alloc(size - 40_960, 0xa5), 0, size - 40_960, 40_960);
    await file.close();
    const read = async () => {
      const damaged = await openSqliteCatalog(path);
      try {
        await all(damaged.captures({}));
      } finally {
        await damaged.close();
      }
    };
    await expect(read()).rejects.toThrow('daguerre reindex');
  });

  it('another process writes for too long => busy', async () => {
    const catalog = await openSqliteCatalog(path, { busyTimeout: 20 });
    const other = new Database(path);
    other.exec('begin immediate');
    await expect(catalog.createCrawl('key', SPEC, 1)).rejects.toMatchObject({ kind: 'busy' });
    other.exec('rollback');
    other.close();
    expect(await catalog.createCrawl('key', SPEC, 1)).toMatchObject({ key: 'key' });
    await catalog.close();
  });

  it('no space left => StorageFull; what was there stays, and there is no half commit', async () => {
    const catalog = await openSqliteCatalog(path, { maxBytes: 600_000 });
    const { crawlId } = await crawlWith(catalog, [entry('https://example.org/')]);
    const discovered = Array.from({ length: 20_000 }, (_, i) => entry(`https://example.org/${i}`));
    await expect(catalog.commit(batch(crawlId, { discovered }))).rejects.toMatchObject({
      name: 'StorageFull',
    });
    expect(await catalog.tally(crawlId)).toMatchObject({ pending: 1 });
    const { enqueued } = await catalog.commit(batch(crawlId, { discovered: discovered.slice(0, 10) }));
    expect(enqueued).toHaveLength(10);
    await catalog.close();
  });
});
