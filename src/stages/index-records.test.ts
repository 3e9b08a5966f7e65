import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPageReader } from '../capture/page-reader.ts';
import { openSqliteCatalog } from '../catalog/engines/sqlite.ts';
import { memoryBody } from '../model/body.ts';
import type { Catalog } from '../ports/catalog.ts';
import { factsFromWarc } from '../warc/facts.ts';
import { openWarcStore } from '../warc/warc-store.ts';
import { indexRecords } from './index-records.ts';

let folder: string;
let catalog: Catalog;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  catalog = await openSqliteCatalog(join(folder, 'catalog.sqlite'));
});
afterEach(async () => {
  await catalog.close();
  await rm(folder, { recursive: true, force: true });
});

it('page infos and deltas that cannot be understood => named with file and offset; the rest is indexed', async () => {
  const at = Date.UTC(2026, 2, 1);
  const url = 'https://example.org/';
  const store = await openWarcStore({
    archive: folder,
    collection: 'test',
    crawlId: 1,
    clock: { now: () => at, sleep: async () => {} },
    software: 'Daguerre/test',
    userAgent: 'test',
    robots: 'obey',
  });
  const sound = { url, finalUrl: url, title: 'Sound', status: 200, mime: 'text/html', at, depth: 0 };
  const info = JSON.stringify({ ...sound, reason: 'seed', links: [], resources: {}, facts: [] });
  const texts: readonly (readonly [string, string])[] = [
    ['pageinfo', info.slice(0, 40)],
    ['pageinfo', 'null'],
    ['delta', '<Delta format="9"/>'],
    ['pageinfo', info],
  ];
  const derived = texts.map(([kind, text]) => ({
    uri: `urn:${kind}:${url}`,
    contentType: 'application/json',
    body: memoryBody(new TextEncoder().encode(text)),
  }));
  const facts = await store.append({ id: 'e', url, at, exchanges: [], derived });
  await store.close();
  const [name = ''] = facts.map(({ file }) => file);
  const records = factsFromWarc(join(folder, 'warc', name));
  const ports = { catalog, pageReader: createPageReader() };
  const indexed = await indexRecords({ name, size: 1, ours: true }, records, ports);
  expect(indexed).toMatchObject({ captures: 0, pages: 1 });
  expect(indexed.problems).toEqual(
    facts.slice(0, 3).map(({ offset, url: uri }) => ({
      file: name,
      offset,
      reason: expect.stringContaining(`${uri} cannot be understood`),
    })),
  );
});
