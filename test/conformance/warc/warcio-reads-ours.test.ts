import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CDXIndexer, WARCParser } from 'warcio';
import { readCdxj } from '../../../src/warc/cdxj.ts';
import { collect, event, exchange, pageinfo, temporaryArchive, testStore } from '../../warc-events.ts';

/* What we write is read by npm `warcio`, the reader inside wabac.js and ReplayWeb.page. */

let archive: string;
let remove: () => Promise<void>;
let path: string;
let name: string;
const bodies = ['<p>one</p>', 'x'.repeat(100_000), '', 'ü – €'];

beforeEach(async () => {
  ({ archive, remove } = await temporaryArchive());
  const store = await testStore(archive);
  for (const [i, body] of bodies.entries()) {
    const url = `https://www.example.com/${i}?b=2&a=1`;
    const [fact] = await store.append(
      await event(store, [exchange({ url, body, more: { protocols: ['h2', 'tls/1.3'] } })], [pageinfo(url)]),
    );
    if (i !== 0 || !fact) continue;
    const { recordId, digest, at } = fact;
    const original = { url, at, recordId, sha256: digest.sha256, sha1: digest.sha1 };
    const again = exchange({ url, body, at: at + 1000 });
    await store.append(
      await event(store, [{ exchange: again, revisit: { profile: 'identical-payload-digest', original } }]),
    );
  }
  const post = exchange({
    url: 'https://example.com/form',
    method: 'POST',
    requestHeaders: [['Content-Type', 'application/x-www-form-urlencoded']],
    requestBody: 'q=a b&r=1',
  });
  const chunked = exchange({
    url: 'https://example.com/chunked',
    headers: [['Transfer-Encoding', 'chunked']],
    body: '3\r\nabc\r\n0\r\n\r\n',
  });
  await store.append(await event(store, [post, chunked]));
  await store.close();
  [name = ''] = await readdir(join(archive, 'warc'));
  path = join(archive, 'warc', name);
});
afterEach(() => remove());

const source = () => createReadStream(path) as AsyncIterable<Uint8Array>;

test('WARCParser => every record, payloads byte for byte', async () => {
  const types: string[] = [];
  const payloads: string[] = [];
  for await (const record of new WARCParser(source(), { keepHeadersCase: true })) {
    const payload = Buffer.from(await record.readFully(true)).toString();
    types.push(record.warcType);
    if (record.warcType === 'response') payloads.push(payload);
  }
  const page = ['request', 'response', 'resource'];
  expect(types).toEqual([
    'warcinfo',
    ...page,
    'request',
    'revisit',
    ...page,
    ...page,
    ...page,
    'request',
    'response',
    'request',
    'response',
  ]);
  expect(payloads).toEqual([...bodies, '<p>hello</p>', 'abc']);
});

test('CDXIndexer => same key, time, URL, status, digest, position as our CDXJ', async () => {
  const theirs: Record<string, string>[] = [];
  const files = [{ filename: name, reader: source() }] as unknown as Parameters<CDXIndexer['iterIndex']>[0];
  for await (const entry of new CDXIndexer({ format: 'cdxj' }).iterIndex(files)) theirs.push(entry);
  const ours = await collect(readCdxj(join(archive, 'indexes', `${name}.cdxj`)));
  expect(ours).toHaveLength(11);
  const byOffset = ours.toSorted((a, b) => a.offset - b.offset);
  expect(
    byOffset.map((entry) => ({
      key: entry.key,
      timestamp: entry.timestamp,
      url: entry.url,
      mime: entry.mime,
      // warcio gives resources no status; we give 200, as cdxj-indexer does.
      status: entry.url.startsWith('urn:') ? undefined : entry.status,
      digest: entry.digest.replace('sha256:', ''),
      offset: entry.offset,
      length: entry.length,
      method: entry.method,
      requestBody: entry.requestBody,
    })),
  ).toEqual(
    theirs.map((entry) => ({
      key: String(entry.urlkey).replace(/ /g, '%20'),
      timestamp: entry.timestamp,
      url: entry.url,
      mime: entry.mime ?? '',
      status: entry.status,
      digest: entry.digest,
      offset: entry.offset,
      length: entry.length,
      method: entry.method,
      requestBody: entry.requestBody,
    })),
  );
});
