import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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
} from '../../../test/warc-events.ts';
import { memoryBody } from '../../model/body.ts';
import { readRecords } from '../read-records.ts';
import { type VerifyFilesOptions, verifyWarcs } from './verify-archive.ts';

let archive: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ archive, remove } = await temporaryArchive());
  for (const folder of ['warc', 'indexes']) await mkdir(join(archive, folder));
});
afterEach(() => remove());

async function crawl(pages: number, maxFileSize?: number): Promise<string[]> {
  const store = await testStore(archive, maxFileSize === undefined ? {} : { maxFileSize });
  for (let i = 0; i < pages; i++) {
    const url = `https://example.com/${i}`;
    await store.append(await event(store, [exchange({ url, body: `<p>${i}</p>` })], [pageinfo(url)]));
  }
  await store.close();
  return readdir(join(archive, 'warc'));
}

/** A record file of another tool, and its index. */
async function foreign(name: string, ...records: string[]): Promise<void> {
  const path = join(archive, 'warc', name);
  await writeFile(path, Buffer.concat(records.map((record) => gzipSync(record))));
  await indexWarc(path, join(archive, 'indexes', `${name}.cdxj`));
}

interface Example {
  readonly type: string;
  readonly id: string;
  readonly url: string;
  readonly date?: string;
  readonly more?: readonly string[];
  readonly block: string;
}

function record({ type, id, url, date = '2020-01-02T03:04:05Z', more = [], block }: Example): string {
  const fields = [
    'WARC/1.0',
    `WARC-Type: ${type}`,
    `WARC-Record-ID: <urn:uuid:${id}>`,
    `WARC-Date: ${date}`,
    `WARC-Target-URI: ${url}`,
    `Content-Type: application/http; msgtype=${type === 'request' ? 'request' : 'response'}`,
    ...more,
    `Content-Length: ${Buffer.byteLength(block)}`,
  ];
  return `${fields.join('\r\n')}\r\n\r\n${block}\r\n\r\n`;
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n';
/** SHA-1 of `hello`. */
const HELLO = 'sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N';

describe('indexes', () => {
  test('every CDXJ deleted => an error for each, naming what to do', async () => {
    const files = await crawl(6, 2500);
    expect(files.length).toBeGreaterThan(1);
    for (const name of await readdir(join(archive, 'indexes'))) await rm(join(archive, 'indexes', name));
    const { errors } = await verifyWarcs(archive);
    expect(errors.map(({ file }) => file)).toEqual(files.toSorted().map((name) => `${name}.cdxj`));
    expect(errors[0]?.reason).toContain('daguerre reindex');
  });

  test('of the file that a crawl has not closed => a note', async () => {
    const [file = ''] = await crawl(1);
    await rm(join(archive, 'indexes', `${file}.cdxj`));
    const { errors, notes } = await verifyWarcs(archive, { unfinished: (name) => name === file });
    expect(errors).toEqual([]);
    expect(notes).toMatchObject([{ file, reason: expect.stringContaining('has not ended') }]);
  });

  test('a line taken out, or all of them => an error with the count', async () => {
    const [file = ''] = await crawl(3);
    const index = join(archive, 'indexes', `${file}.cdxj`);
    const lines = (await readFile(index, 'utf8')).split('\n');
    await writeFile(index, lines.slice(1).join('\n'));
    expect((await verifyWarcs(archive)).errors).toMatchObject([
      { file: `${file}.cdxj`, reason: expect.stringMatching(/^names 5 of the 6 captures/) },
    ]);
    await writeFile(index, '');
    expect((await verifyWarcs(archive)).errors).toMatchObject([
      { file: `${file}.cdxj`, reason: expect.stringMatching(/^names 0 of the 6 captures/) },
    ]);
  });
});

describe('what replay can serve is no error', () => {
  const original = record({ type: 'response', id: 'o', url: 'http://example.com/', block: `${OK}hello` });
  const revisit = (...more: string[]): string =>
    record({
      type: 'revisit',
      id: 'r',
      url: 'https://example.com/',
      date: '2020-02-02T00:00:00Z',
      more: ['WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest', ...more],
      block: OK,
    });

  test('a revisit that names https where the original is http => a note', async () => {
    const refers = [
      `WARC-Payload-Digest: ${HELLO}`,
      'WARC-Refers-To-Target-URI: https://example.com/',
      'WARC-Refers-To-Date: 2020-01-02T03:04:05Z',
    ];
    await foreign('a.warc.gz', original, revisit(...refers));
    const { errors, warnings, notes } = await verifyWarcs(archive);
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(notes.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^1 revisit .*replay serves it/),
    ]);
    // With the payload gone, nothing can be served.
    await foreign('a.warc.gz', revisit(...refers));
    expect((await verifyWarcs(archive)).errors).toMatchObject([{ file: 'a.warc.gz', offset: 0 }]);
  });

  test('a revisit without a digest, of a URL that is there over http => a note; of no URL => an error', async () => {
    await foreign('a.warc.gz', original, revisit());
    expect(await verifyWarcs(archive)).toMatchObject({ errors: [], notes: [{ file: 'a.warc.gz' }] });
    await foreign('a.warc.gz', revisit());
    expect((await verifyWarcs(archive)).errors).toHaveLength(1);
  });

  test('WARC-Concurrent-To a record that is nowhere => one note for all', async () => {
    const more = ['WARC-Concurrent-To: <urn:uuid:elsewhere>'];
    const request = { type: 'request', url: 'http://example.com/', more, block: 'GET / HTTP/1.1\r\n\r\n' };
    await foreign('a.warc.gz', original, record({ ...request, id: '1' }), record({ ...request, id: '2' }));
    const { errors, notes } = await verifyWarcs(archive);
    expect(errors).toEqual([]);
    expect(notes.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^2 records/)]);
  });

  test('a payload digest over the chunks, as most tools take it => a note; over neither => an error', async () => {
    const chunked = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`;
    const page = { type: 'response', url: 'http://example.com/', block: chunked };
    // SHA-1 of `5\r\nhello\r\n0\r\n\r\n`, and of the payload.
    const overChunks = 'WARC-Payload-Digest: sha1:FPKJFAEPEIMEFSS2G2SDNSN5YKX3N5JX';
    await foreign('over-chunks.warc.gz', record({ ...page, id: '1', more: [overChunks] }));
    await foreign('dechunked.warc.gz', record({ ...page, id: '2', more: [`WARC-Payload-Digest: ${HELLO}`] }));
    const { errors, notes } = await verifyWarcs(archive);
    expect(errors).toEqual([]);
    expect(notes.map(({ file }) => file)).toEqual(['over-chunks.warc.gz']);
    await foreign(
      'neither.warc.gz',
      record({ ...page, id: '3', more: ['WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'] }),
    );
    expect((await verifyWarcs(archive)).errors).toMatchObject([{ file: 'neither.warc.gz', offset: 0 }]);
  });

  test('a chunked body that breaks off, with a digest of its first part, as warcprox takes it => a warning', async () => {
    const block = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nwor`;
    const page = { type: 'response', url: 'http://example.com/', block };
    const ofPart = `WARC-Payload-Digest: ${HELLO}`;
    const whole = `WARC-Block-Digest: sha1:${createHash('sha1').update(block).digest('hex')}`;
    await foreign('cut.warc.gz', record({ ...page, id: '1', more: [ofPart, whole] }));
    const found = await verifyWarcs(archive);
    expect(found.errors).toEqual([]);
    expect(found.warnings.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/breaks off; the block is/),
    ]);
    // Its revisits name the payload by the same digest.
    await foreign('again.warc.gz', revisit(ofPart));
    expect((await verifyWarcs(archive)).errors).toEqual([]);
    // Nothing vouches for the block here, and the missing part may have been lost since.
    await foreign('unsure.warc.gz', record({ ...page, id: '2', more: [ofPart] }));
    expect((await verifyWarcs(archive)).errors).toMatchObject([{ file: 'unsure.warc.gz', offset: 0 }]);
  });

  test('a revisit whose block digest is that of no bytes, as wget writes it => one warning; of others => an error', async () => {
    const ofNothing = 'WARC-Block-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ';
    const ofPayload = `WARC-Payload-Digest: ${HELLO}`;
    await foreign('a.warc.gz', original);
    await foreign('wget.warc.gz', revisit(ofPayload, ofNothing));
    const found = await verifyWarcs(archive);
    expect(found.errors).toEqual([]);
    expect(found.warnings).toMatchObject([{ file: 'wget.warc.gz', offset: 0 }]);
    await foreign('other.warc.gz', revisit(ofPayload, `WARC-Block-Digest: ${HELLO}`));
    const page = { type: 'response', url: 'http://example.com/', block: `${OK}hello` };
    await foreign('response.warc.gz', record({ ...page, id: '3', more: [ofNothing] }));
    expect((await verifyWarcs(archive)).errors.map(({ file, reason }) => `${file}: ${reason}`)).toEqual([
      'other.warc.gz: the block digest does not fit the block',
      'response.warc.gz: the block digest does not fit the block',
    ]);
  });

  test('two records with one id => one warning, at the second', async () => {
    await foreign('a.warc.gz', original);
    await foreign('b.warc.gz', original);
    const { errors, warnings } = await verifyWarcs(archive);
    expect(errors).toEqual([]);
    expect(warnings).toMatchObject([{ file: 'b.warc.gz', offset: 0 }]);
  });

  test('a date that can be read all the same => a warning; one that cannot => an error', async () => {
    const page = { type: 'response', url: 'http://example.com/', block: `${OK}hello` };
    await foreign(
      'dates.warc.gz',
      record({ ...page, id: '1', date: '2020-01-02 03:04:05' }),
      record({ ...page, id: '2', date: 'long ago' }),
    );
    const { errors, warnings } = await verifyWarcs(archive);
    expect(warnings.map(({ reason }) => reason)).toEqual([
      "WARC-Date is '2020-01-02 03:04:05', read as 2020-01-02T03:04:05.000Z",
    ]);
    expect(errors.map(({ reason }) => reason)).toEqual(["WARC-Date is 'long ago', which cannot be read"]);
  });
});

describe('ranges', () => {
  /** Files that mislead a search for the start of a record in their middle. */
  async function misleading(): Promise<void> {
    await crawl(12, 4000);
    // Random bytes are stored uncompressed, and with them a whole downloaded record file.
    const inner = await readFile(join(archive, 'warc', (await readdir(join(archive, 'warc')))[0] as string));
    const store = await testStore(archive);
    const body = Buffer.concat([randomBytes(40_000), inner, randomBytes(40_000)]);
    await store.append(
      await event(store, [exchange({ url: 'https://example.com/w', body: memoryBody(body) })]),
    );
    await store.append(await event(store, [exchange({ url: 'https://example.com/x' })]));
    await store.close();
    const text = record({ type: 'response', id: 'in', url: 'http://example.com/in', block: `${OK}hello` });
    const plain = record({
      type: 'response',
      id: 'out',
      url: 'http://example.com/out',
      block: `${OK}${`\n\n${text}`.repeat(9)}`,
    });
    await writeFile(join(archive, 'warc', 'plain.warc'), plain.repeat(3) + text);
    await indexWarc(join(archive, 'warc', 'plain.warc'), join(archive, 'indexes', 'plain.warc.cdxj'));
    // Damage, in the middle and at the end.
    const [first = '', second = ''] = (await readdir(join(archive, 'warc'))).toSorted();
    const bytes = await readFile(join(archive, 'warc', first));
    bytes.fill(0x55, 900, 1100);
    await writeFile(join(archive, 'warc', first), bytes);
    await appendFile(join(archive, 'warc', second), gzipSync('WARC/1.0\r\n').subarray(0, 12));
  }

  test('of any size => the same as one reader says', async () => {
    await misleading();
    const check = (options: VerifyFilesOptions) => verifyWarcs(archive, options);
    const whole = await check({ rangeBytes: 1 << 30 });
    expect(whole.errors.length).toBeGreaterThan(2);
    expect(whole.warnings).toMatchObject([{ reason: expect.stringContaining('same WARC-Record-ID') }]);
    for (const rangeBytes of [1, 64, 700, 3001, 20_000, 60_000])
      expect([rangeBytes, await check({ rangeBytes })]).toEqual([rangeBytes, whole]);
    const folder = join(archive, 'warc');
    let records = 0;
    for (const file of await readdir(folder))
      records += (await collect(readRecords(join(folder, file)))).length;
    expect(whole.records).toBe(records);
  });

  test('progress => ends at all bytes and all records', async () => {
    await crawl(5, 2000);
    const seen: number[][] = [];
    const { records } = await verifyWarcs(archive, {
      rangeBytes: 500,
      onProgress: ({ done, size, records: so }) => seen.push([done, size, so]),
    });
    const [done, size, count] = seen.at(-1) ?? [];
    expect([done, count]).toEqual([size, records]);
  });
});
