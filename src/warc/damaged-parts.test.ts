import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchange, temporaryArchive, testStore } from '../../test/warc-events.ts';
import type { CaptureFact } from '../model/capture.ts';
import { damagedParts } from './damaged-parts.ts';

let path: string;
let facts: readonly CaptureFact[];
let remove: () => Promise<void>;
beforeEach(async () => {
  const made = await temporaryArchive();
  remove = made.remove;
  const store = await testStore(made.archive);
  const url = 'https://example.org/';
  const answer = exchange({ url, body: 'some words '.repeat(50) });
  const digest = await store.digest(answer.response);
  facts = await store.append({ id: 'e', url, at: 0, exchanges: [{ exchange: answer, digest }], derived: [] });
  await store.close();
  path = join(made.archive, 'warc', facts[0]?.file ?? '');
});
afterEach(() => remove());

const found = async (file = path) => damagedParts([{ path: file, length: (await stat(file)).size }]);

test('a whole file => nothing; a byte of a record changed => its place', async () => {
  expect(await found()).toEqual([]);
  const file = await open(path, 'r+');
  const at = (facts[0]?.offset ?? 0) + (facts[0]?.length ?? 0) - 6;
  await file.write(Buffer.from([0xaa, 0x55]), 0, 2, at);
  await file.close();
  expect(await found()).toMatchObject([{ file: facts[0]?.file, offset: facts[0]?.offset }]);
});

test('the same, not compressed => told by its digests', async () => {
  const plain = path.replace(/\.gz$/, '');
  const bytes = gunzipSync(await readFile(path));
  await writeFile(plain, bytes);
  expect(await found(plain)).toEqual([]);
  bytes.write('other', bytes.indexOf('words'));
  await writeFile(plain, bytes);
  expect((await found(plain))[0]?.reason).toContain('digest does not fit');
});
