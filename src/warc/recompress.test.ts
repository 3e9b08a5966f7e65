import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collect, event, exchange, temporaryArchive, testStore } from '../../test/warc-events.ts';
import { factsFromWarc } from './facts.ts';
import { type ReadProblem, readRecords } from './read-records.ts';
import { recompress } from './recompress.ts';

let archive: string;
let remove: () => Promise<void>;
let source: string;
let target: string;
let plain: Buffer;
beforeEach(async () => {
  ({ archive, remove } = await temporaryArchive());
  const store = await testStore(archive);
  for (const i of [1, 2, 3])
    await store.append(await event(store, [exchange({ url: `https://example.com/${i}` })]));
  const [file = ''] = [...store.lengths().keys()];
  await store.close();
  plain = gunzipSync(await readFile(join(archive, 'warc', file)));
  source = join(archive, 'whole.warc.gz');
  target = join(archive, 'apart.warc.gz');
});
afterEach(() => remove());

async function again(bytes: Buffer) {
  await writeFile(source, bytes);
  return recompress(source, (await stat(source)).size, target);
}

test('gzipped as a whole => a member for each record, the same bytes inflated, every capture found', async () => {
  expect(await again(gzipSync(plain))).toEqual({ records: 7 });
  expect(gunzipSync(await readFile(target))).toEqual(plain);
  const problems: ReadProblem[] = [];
  const found = await collect(factsFromWarc(target, { onProblem: (problem) => problems.push(problem) }));
  expect(problems).toEqual([]);
  expect(found.map(({ fact }) => fact.url)).toEqual([1, 2, 3].map((i) => `https://example.com/${i}`));
  // Previously, none was found.
  expect(await collect(factsFromWarc(source))).toEqual([]);
});

test('bytes between records => kept, in the same place', async () => {
  const at = plain.indexOf('WARC/1.1', 10);
  const odd = Buffer.concat([plain.subarray(0, at), Buffer.from('what is this?\r\n'), plain.subarray(at)]);
  await again(gzipSync(odd));
  expect(gunzipSync(await readFile(target))).toEqual(odd);
});

test('cut short => what can be inflated, and why it ends', async () => {
  const bytes = gzipSync(plain);
  const { records, brokenOff } = await again(bytes.subarray(0, Math.floor(bytes.length * 0.9)));
  expect(records).toBeGreaterThan(1);
  expect(records).toBeLessThan(7);
  expect(brokenOff).toContain('gzip');
  expect((await collect(readRecords(target))).length).toBe(records);
});
