import { appendFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  collect,
  event,
  exchange,
  indexWarc,
  pageinfo,
  temporaryArchive,
  testStore,
} from '../../test/warc-events.ts';
import type { CaptureFact } from '../model/capture.ts';
import { factsFromWarc } from './facts.ts';
import { type ReadProblem, readRecords } from './read-records.ts';
import { openRecordReader } from './record-reader.ts';
import { checkTail } from './tail.ts';
import { verifyWarcs } from './verify/verify-archive.ts';

let archive: string;
let remove: () => Promise<void>;
let path: string;
let facts: CaptureFact[];
/** Length of the file after each of the three events. */
let ends: number[];

beforeEach(async () => {
  ({ archive, remove } = await temporaryArchive());
  const store = await testStore(archive);
  facts = [];
  ends = [];
  for (const i of [1, 2, 3]) {
    const url = `https://example.com/${i}`;
    facts.push(
      ...(await store.append(await event(store, [exchange({ url })], i === 3 ? [] : [pageinfo(url)]))),
    );
    ends.push([...store.lengths().values()][0] as number);
  }
  await store.close();
  path = join(archive, 'warc', facts[0]?.file ?? '');
});
afterEach(() => remove());

describe('checkTail', () => {
  test('whole file => everything whole, from 0, from the end of an event, from the end', async () => {
    const size = ends[2] as number;
    for (const from of [0, ends[0] as number, size]) {
      expect(await checkTail(path, from)).toEqual({ size, recordEnd: size, eventEnd: size });
    }
  });

  test('cut at any byte => the last whole event before the cut', async () => {
    const bytes = await readFile(path);
    const copy = join(archive, 'cut.warc.gz');
    const info = (await collect(readRecords(path)))[0]?.length as number;
    for (let cut = 0; cut < bytes.length; cut += 23) {
      await writeFile(copy, bytes.subarray(0, cut));
      const whole = [info, ...ends].filter((end) => end <= cut).at(-1) ?? 0;
      const tail = await checkTail(copy, 0);
      expect([cut, tail.eventEnd]).toEqual([cut, whole]);
      expect(tail.problem === undefined).toBe(tail.recordEnd === cut);
    }
  });

  test('cut, then shortened to the last whole event => readable, verified', async () => {
    await truncate(path, (ends[1] as number) + 100);
    const { eventEnd, problem } = await checkTail(path, ends[0] as number);
    expect([eventEnd, problem?.offset]).toEqual([ends[1], ends[1]]);
    await truncate(path, eventEnd);
    expect((await stat(path)).size).toBe(ends[1]);
    await indexWarc(path, join(archive, 'indexes', `${facts[0]?.file}.cdxj`));
    expect(await verifyWarcs(archive)).toMatchObject({ records: 7, errors: [], warnings: [], notes: [] });
  });

  test('file shorter than the known offset => checked from its start', async () => {
    await truncate(path, ends[0] as number);
    expect(await checkTail(path, ends[1] as number)).toMatchObject({ recordEnd: ends[0], eventEnd: ends[0] });
  });
});

describe('damage', () => {
  test('bytes overwritten inside one record => told with its offset, all others read', async () => {
    const bytes = await readFile(path);
    const hurt = facts[0] as CaptureFact;
    bytes.fill(0x55, hurt.offset + 40, hurt.offset + 80);
    await writeFile(path, bytes);
    const problems: ReadProblem[] = [];
    const read = await collect(readRecords(path, { onProblem: (problem) => problems.push(problem) }));
    expect(problems.map(({ offset }) => offset)).toEqual([hurt.offset]);
    expect(read).toHaveLength(8);
    const { errors, notes } = await verifyWarcs(archive);
    // The index line points at the lost response; the request and the page info name it.
    expect(errors.map(({ file }) => file)).toEqual([hurt.file, `${hurt.file}.cdxj`]);
    expect(notes.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^2 records .*WARC-Concurrent-To/),
    ]);
    const reader = openRecordReader(join(archive, 'warc'));
    await expect(reader.read(hurt)).rejects.toThrow(`${hurt.file} at ${hurt.offset}`);
    await reader.close();
  });

  test('a record whose block was changed => digest errors', async () => {
    const record =
      'WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:x>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: urn:x\r\nWARC-Block-Digest: sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\r\nWARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\nContent-Length: 1\r\n\r\nx\r\n\r\n';
    await appendFile(path, gzipSync(record));
    const { errors } = await verifyWarcs(archive);
    expect(errors).toEqual([
      { file: facts[0]?.file, offset: ends[2], reason: 'WARC-Payload-Digest does not fit the payload' },
      { file: facts[0]?.file, offset: ends[2], reason: 'the block digest does not fit the block' },
      expect.objectContaining({
        file: `${facts[0]?.file}.cdxj`,
        reason: expect.stringMatching(/^names 5 of the 6/),
      }),
    ]);
  });

  test('an index line for another URL => error with the offset of the line', async () => {
    const index = join(archive, 'indexes', `${facts[0]?.file}.cdxj`);
    const text = await readFile(index, 'utf8');
    await writeFile(index, text.replace('"url":"https://example.com/2"', '"url":"https://example.com/9"'));
    const { errors } = await verifyWarcs(archive);
    expect(errors).toMatchObject([
      { file: `${facts[0]?.file}.cdxj`, offset: 0, reason: expect.stringMatching(/^names 4 of the 5/) },
      { file: `${facts[0]?.file}.cdxj`, offset: text.indexOf('\n') + 1 },
    ]);
  });
});

test('factsFromWarc => the facts append gave, from the start and from an offset', async () => {
  const read = (await collect(factsFromWarc(path))).map(({ fact }) => fact);
  expect(read).toEqual(facts);
  const later = (await collect(factsFromWarc(path, { from: ends[0] as number }))).map(({ fact }) => fact);
  expect(later).toEqual(facts.slice(2));
});

test('POST => same fact, body as query, from the writer and from the file', async () => {
  const store = await testStore(archive);
  const post = exchange({
    method: 'POST',
    requestHeaders: [['Content-Type', 'application/json']],
    requestBody: '{"a":1}',
  });
  const written = await store.append(await event(store, [post]));
  await store.close();
  expect(written[0]).toMatchObject({ method: 'POST', requestBody: 'a=1' });
  const [read] = await collect(factsFromWarc(join(archive, 'warc', written[0]?.file ?? '')));
  expect(read?.fact).toEqual(written[0]);
});

test('a stream => same records as its file', async () => {
  async function* stream() {
    yield await readFile(path);
  }
  const ids = (await collect(readRecords(stream()))).map(({ id }) => id);
  expect(ids).toEqual((await collect(readRecords(path))).map(({ id }) => id));
  expect(ids).toHaveLength(9);
});

test('two copies of the file side by side => a revisit finds its original in the other file', async () => {
  const original = facts[4] as CaptureFact;
  const store = await testStore(archive);
  const { url, at, recordId, digest } = original;
  await store.append(
    await event(store, [
      {
        exchange: exchange({ at: at + 1000 }),
        revisit: {
          profile: 'identical-payload-digest',
          original: { url, at, recordId, sha256: digest.sha256, sha1: digest.sha1 },
        },
      },
    ]),
  );
  await store.close();
  expect((await verifyWarcs(archive)).errors).toEqual([]);
  // Without the original the revisit is served by an equal payload.
  await truncate(path, ends[1] as number);
  const index = join(archive, 'indexes', `${original.file}.cdxj`);
  await indexWarc(path, index);
  expect(await verifyWarcs(archive)).toMatchObject({
    errors: [],
    notes: [{ reason: expect.stringMatching(/^1 revisit .*replay serves it/) }],
  });
  // Without any equal payload it is an error.
  await rm(path);
  await rm(index);
  expect((await verifyWarcs(archive)).errors.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('the original of this revisit, https://example.com/3 of 20260102030405'),
  ]);
});
