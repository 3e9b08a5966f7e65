import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  AT,
  bodyBytes,
  collect,
  event,
  exchange,
  fileBody,
  pageinfo,
  temporaryArchive,
  testStore,
} from '../../test/warc-events.ts';
import { header } from '../model/exchange.ts';
import { digestBytes } from './digest.ts';
import { readRecords } from './read-records.ts';
import { openRecordReader } from './record-reader.ts';
import { verifyWarcs } from './verify/verify-archive.ts';

let archive: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ archive, remove } = await temporaryArchive());
});
afterEach(() => remove());

const records = async (name: string) => {
  const problems: unknown[] = [];
  const all = await collect(readRecords(join(archive, 'warc', name), { onProblem: (p) => problems.push(p) }));
  expect(problems).toEqual([]);
  return all;
};

describe('append', () => {
  test('one event => warcinfo, request, response, derived, contiguous, with shared fields and both digests', async () => {
    const store = await testStore(archive);
    const one = exchange({
      headers: [
        ['Content-Type', 'text/html'],
        ['ETag', '"x"'],
        ['Last-Modified', 'Thu, 01 Jan 2026 00:00:00 GMT'],
      ],
      more: { ip: '192.0.2.1', protocols: ['http/1.1', 'tls/1.3'], resourceType: 'document' },
    });
    const page = await event(store, [one], [pageinfo(one.url, { title: 'ü' })]);
    const facts = await store.append(page);
    await store.close();
    const name = 'test-7-20260102030405-00000.warc.gz';
    expect(await readdir(join(archive, 'warc'))).toEqual([name]);
    const all = await records(name);
    expect(all.map(({ type }) => type)).toEqual(['warcinfo', 'request', 'response', 'resource']);
    const [info, request, response, resource] = all as [
      (typeof all)[0],
      (typeof all)[0],
      (typeof all)[0],
      (typeof all)[0],
    ];
    expect(Buffer.from(info.block.bytes ?? []).toString()).toBe(
      'software: Daguerre/test\r\nformat: WARC File Format 1.1\r\nconformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\nisPartOf: test\r\ncrawl-id: 7\r\nrobots: obey\r\nhttp-header-user-agent: Daguerre/test (+mailto:test@example.com)\r\n',
    );
    expect(response.fields.filter(([key]) => key === 'WARC-Protocol').map(([, value]) => value)).toEqual([
      'http/1.1',
      'tls/1.3',
    ]);
    const digest = digestBytes(Buffer.from('<p>hello</p>'));
    expect(Object.fromEntries(response.fields)).toMatchObject({
      'WARC-Date': '2026-01-02T03:04:05.678Z',
      'WARC-Page-ID': page.id,
      'WARC-IP-Address': '192.0.2.1',
      'WARC-Resource-Type': 'document',
      'WARC-Payload-Digest': `sha256:${digest.sha256}`,
      'WARC-Payload-Digest-SHA1': `sha1:${digest.sha1}`,
      'WARC-Concurrent-To': request.id,
    });
    expect(header(request.fields, 'WARC-Concurrent-To')).toBe(response.id);
    expect(header(request.fields, 'WARC-Date')).toBe(header(response.fields, 'WARC-Date'));
    expect(all.map(({ fields }) => header(fields, 'WARC-Event-End'))).toEqual([
      undefined,
      undefined,
      undefined,
      'true',
    ]);
    expect(facts).toEqual([
      {
        url: 'https://example.com/',
        at: AT,
        type: 'response',
        recordId: response.id,
        method: 'GET',
        status: 200,
        mime: 'text/html',
        digest,
        eventId: page.id,
        etag: '"x"',
        lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT',
        file: name,
        offset: response.offset,
        length: response.length,
      },
      {
        url: 'urn:pageinfo:https://example.com/',
        at: AT,
        type: 'resource',
        recordId: resource.id,
        method: 'GET',
        status: 200,
        mime: 'application/json',
        digest: digestBytes(Buffer.from('{"title":"ü"}')),
        eventId: page.id,
        file: name,
        offset: resource.offset,
        length: resource.length,
      },
    ]);
    expect(await verifyWarcs(archive)).toMatchObject({ records: 4, errors: [], warnings: [], notes: [] });
  });

  test('zcat reads the file', async () => {
    const store = await testStore(archive);
    const [fact] = await store.append(await event(store, [exchange()]));
    await store.close();
    const text = execFileSync('gzip', ['-dc', join(archive, 'warc', fact?.file ?? '')]).toString();
    expect(text.match(/^WARC\/1\.1\r$/gm)).toHaveLength(3);
    expect(text).toContain('<p>hello</p>\r\n\r\n');
  });

  test('chunked body => the block keeps the chunks, payload and digest are without', async () => {
    const store = await testStore(archive);
    const wire = '5\r\nhello\r\n0\r\n\r\n';
    const one = exchange({ headers: [['Transfer-Encoding', 'chunked']], body: wire });
    const [fact] = await store.append(await event(store, [one]));
    await store.close();
    const response = (await records(fact?.file ?? ''))[2];
    expect(
      Buffer.from(response?.block.bytes ?? [])
        .toString()
        .endsWith(wire),
    ).toBe(true);
    expect(Buffer.from(response?.payload.bytes ?? []).toString()).toBe('hello');
    expect(fact?.digest).toEqual(digestBytes(Buffer.from('hello')));
  });

  test('revisits of both profiles => head only, refer to the original, verified', async () => {
    const store = await testStore(archive);
    const [original] = await store.append(await event(store, [exchange()]));
    if (!original) throw new Error('no fact');
    const { recordId, digest, url, at } = original;
    const refer = { url, at, recordId, sha256: digest.sha256, sha1: digest.sha1 };
    const again = exchange({ at: AT + 60_000 });
    const unchanged = exchange({ at: AT + 120_000, status: 304, headers: [['ETag', '"x"']], body: '' });
    const facts = await store.append(
      await event(store, [
        { exchange: again, revisit: { profile: 'identical-payload-digest', original: refer } },
        { exchange: unchanged, revisit: { profile: 'server-not-modified', original: refer } },
      ]),
    );
    await store.close();
    expect(facts.map((fact) => [fact.type, fact.status, fact.digest.sha256, fact.refersTo])).toEqual([
      ['revisit', 200, digest.sha256, { url, at, profile: 'identical-payload-digest' }],
      ['revisit', 304, digest.sha256, { url, at, profile: 'server-not-modified' }],
    ]);
    const revisit = (await records(original.file))[4];
    expect(Object.fromEntries(revisit?.fields ?? [])).toMatchObject({
      'WARC-Profile': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
      'WARC-Refers-To': recordId,
      'WARC-Refers-To-Target-URI': url,
      'WARC-Refers-To-Date': '2026-01-02T03:04:05.678Z',
      'Content-Length': String(again.response.head.length),
    });
    expect((await verifyWarcs(archive)).errors).toEqual([]);
    const index = await readFile(join(archive, 'indexes', `${original.file}.cdxj`), 'utf8');
    expect(index.match(/"mime":"warc\/revisit"/g)).toHaveLength(2);
  });

  test('line ends in URL and values => one record still, encoded', async () => {
    const store = await testStore(archive);
    const evil = 'https://example.com/a\r\nWARC-Type: warcinfo\r\n\r\n b';
    const one = exchange({
      url: evil,
      more: { resourceType: 'x\r\nWARC-Date: 1', protocols: ['h\n2'], ip: '1\r\n2' },
    });
    const [fact] = await store.append(await event(store, [one]));
    await store.close();
    const response = (await records(fact?.file ?? ''))[2];
    expect(response?.url).toBe('https://example.com/a%0D%0AWARC-Type:%20warcinfo%0D%0A%0D%0A%20b');
    expect(fact?.url).toBe(response?.url);
    expect(header(response?.fields ?? [], 'WARC-Resource-Type')).toBe('x WARC-Date: 1');
    expect(header(response?.fields ?? [], 'WARC-IP-Address')).toBeUndefined();
    expect((await verifyWarcs(archive)).errors).toEqual([]);
  });

  test('truncated response => WARC-Truncated, digest of the bytes stored', async () => {
    const store = await testStore(archive);
    const [fact] = await store.append(
      await event(store, [exchange({ body: 'half', more: { truncated: 'time' } })]),
    );
    await store.close();
    expect(fact?.truncated).toBe('time');
    expect(header((await records(fact?.file ?? ''))[2]?.fields ?? [], 'WARC-Truncated')).toBe('time');
    expect((await verifyWarcs(archive)).errors).toEqual([]);
  });

  test('a spooled body of 20 MB => streamed in and out, same bytes, no spool file left', async () => {
    const path = join(archive, 'big');
    const content = Buffer.concat([randomBytes(1 << 20), Buffer.alloc(19 << 20, 'daguerre')]);
    await writeFile(path, content);
    const store = await testStore(archive);
    const [fact] = await store.append(
      await event(store, [exchange({ body: await fileBody(path) })], [pageinfo('u')]),
    );
    await store.close();
    expect(fact?.digest).toEqual(digestBytes(content));
    expect(await readdir(join(archive, 'tmp'))).toEqual([]);
    const response = (await records(fact?.file ?? ''))[2];
    expect(response?.payload.bytes).toBeUndefined();
    expect((await bodyBytes(response?.payload as never)).equals(content)).toBe(true);
    const reader = openRecordReader(join(archive, 'warc'));
    const read = await reader.read(fact as never);
    expect(read.payload.size).toBe(content.length);
    expect((await bodyBytes(read.payload)).equals(content)).toBe(true);
    await reader.close();
    expect((await verifyWarcs(archive)).errors).toEqual([]);
  });

  test('many events at once => each contiguous and readable by position', async () => {
    const store = await testStore(archive, { maxFileSize: 40_000 });
    const bodies = Array.from({ length: 40 }, (_, i) => randomBytes(3000 + i).toString('base64'));
    const facts = await Promise.all(
      bodies.map(async (body, i) => {
        const url = `https://example.com/${i}`;
        return store.append(await event(store, [exchange({ url, body })], [pageinfo(url)]));
      }),
    );
    await store.sync();
    const lengths = store.lengths();
    await store.close();
    expect(lengths.size).toBeGreaterThan(3);
    for (const [name, length] of lengths) {
      expect((await stat(join(archive, 'warc', name))).size).toBe(length);
      const ids = (await records(name)).slice(1).map(({ fields }) => header(fields, 'WARC-Page-ID'));
      expect(ids.filter((id, i) => id !== ids[i - 1])).toHaveLength(new Set(ids).size);
    }
    const reader = openRecordReader(join(archive, 'warc'));
    for (const [i, [fact]] of facts.entries()) {
      const read = await reader.read(fact as never);
      expect(Buffer.from(read.payload.bytes ?? []).toString()).toBe(bodies[i]);
    }
    await reader.close();
    expect(await verifyWarcs(archive)).toMatchObject({
      records: lengths.size + 120,
      errors: [],
      warnings: [],
      notes: [],
    });
  });
});
