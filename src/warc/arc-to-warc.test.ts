import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bodyBytes, collect, temporaryArchive } from '../../test/warc-events.ts';
import { arcToWarc } from './arc-to-warc.ts';
import { factsFromWarc } from './facts.ts';
import { readRecords } from './read-records.ts';

let archive: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ archive, remove } = await temporaryArchive());
});
afterEach(() => remove());

const arcRecord = (line: string, block: string): string => `${line} ${Buffer.byteLength(block)}\n${block}\n`;
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello</p>';
const FILEDESC = arcRecord(
  'filedesc://example.arc 0.0.0.0 20040102 text/plain',
  '1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n',
);
const RECORDS = [
  FILEDESC,
  arcRecord('http://example.com/a 192.0.2.1 20040102030405 text/html', ANSWER),
  // What early crawlers left: a space in the URL, no media type, no address, a date with few digits.
  arcRecord('http://example.com/a b c 192.0.2.1 20040102030406 text/html', ANSWER),
  arcRecord('http://example.com/no-type 192.0.2.1 20040102030407 ', ANSWER),
  arcRecord('http://example.com/no-address 20040102030408 text/html', ANSWER),
  arcRecord('http://example.com/day 192.0.2.1 20040102 text/html', ANSWER),
  arcRecord(
    'dns:example.com 192.0.2.1 20040102030409 text/dns',
    '20040102030409\nexample.com. A 192.0.2.1\n',
  ),
];

async function convert(name: string, bytes: string | Buffer) {
  const path = join(archive, name);
  await writeFile(path, bytes);
  const target = join(archive, 'out.warc.gz');
  const { size } = await stat(path);
  const conversion = await arcToWarc({ path, length: size }, target, {
    software: 'Daguerre/test',
    at: Date.UTC(2026, 0, 2),
    name: 'example.warc.gz',
  });
  return { path, target, conversion };
}

test.each([
  ['example.arc', RECORDS.join('')],
  ['example.arc.gz', Buffer.concat(RECORDS.map((record) => gzipSync(record)))],
])('%s => the same captures in WARC, found where the conversion says', async (name, bytes) => {
  const { path, target, conversion } = await convert(name, bytes);
  const before = (await collect(factsFromWarc(path))).map(({ fact }) => fact);
  const after = (await collect(factsFromWarc(target))).map(({ fact }) => fact);
  expect(before.map(({ url }) => url)).toEqual([
    'http://example.com/a',
    'http://example.com/a b c',
    'http://example.com/no-type',
    'http://example.com/no-address',
    'http://example.com/day',
    'dns:example.com',
  ]);
  expect(conversion.problems).toEqual([]);
  expect(after).toEqual(
    before.map((fact) => ({ ...fact, ...conversion.records.get(fact.offset), file: 'out.warc.gz' })),
  );
  const [arc, warc] = [await collect(readRecords(path)), await collect(readRecords(target))];
  const blocks = (records: typeof arc): string[] =>
    records.map(({ block }) => Buffer.from(block.bytes ?? []).toString('latin1'));
  expect(blocks(warc.slice(1, -1))).toEqual(blocks(arc));
});

test('HTTP heads that end in a bare LF => in CRLF, counted and told; payloads and other heads as they were', async () => {
  const large = '<p>far more than is read at once</p>'.repeat(200_000);
  const { path, target, conversion } = await convert(
    'example.arc',
    [
      FILEDESC,
      arcRecord(
        'http://example.com/lf 192.0.2.1 20040102030405 text/html',
        'HTTP/1.0 200 OK\nA: b\n\n\n<p>\n</p>',
      ),
      arcRecord(
        'http://example.com/mixed 192.0.2.1 20040102030405 text/html',
        `HTTP/1.0 200 OK\r\nA: b\n\n${large}`,
      ),
      arcRecord(
        'http://example.com/crlf 192.0.2.1 20040102030405 text/html',
        'HTTP/1.0 200 OK\nA: b\r\n\r\n<p>',
      ),
    ].join(''),
  );
  expect(conversion.mendedHeads).toBe(2);
  const blocks = await Promise.all(
    (await collect(readRecords(target))).map(async ({ block }) => (await bodyBytes(block)).toString()),
  );
  expect(blocks.slice(2, 5)).toEqual([
    'HTTP/1.0 200 OK\r\nA: b\r\n\r\n\n<p>\n</p>',
    `HTTP/1.0 200 OK\r\nA: b\r\n\r\n${large}`,
    'HTTP/1.0 200 OK\nA: b\r\n\r\n<p>',
  ]);
  expect(blocks.at(-1)).toContain(
    'byte for byte, but for 2 HTTP heads: their lines ended in LF, here in CRLF',
  );
  const digests = async (file: string) => (await collect(factsFromWarc(file))).map(({ fact }) => fact.digest);
  expect(await digests(target)).toEqual(await digests(path));
});

test('the conversion => told in the warcinfo and in a last record; twice => the same bytes', async () => {
  const { target } = await convert('example.arc', RECORDS.join(''));
  const bytes = await readFile(target);
  const records = await collect(readRecords(target));
  const text = async (i: number): Promise<string> => {
    const record = records.at(i);
    return record ? (await bodyBytes(record.block)).toString() : '';
  };
  expect(records[0]?.type).toBe('warcinfo');
  expect(await text(0)).toMatch(
    /description: converted from the ARC file example\.arc \(sha256:[0-9a-f]{64}, /,
  );
  expect(records.at(-1)?.type).toBe('metadata');
  expect(await text(-1)).toContain('records: 7\r\nleft-out: 0 parts');
  await convert('example.arc', RECORDS.join(''));
  expect(await readFile(target)).toEqual(bytes);
});

test('damage in the ARC => the rest is converted, the damage is counted', async () => {
  const [first = '', second = '', third = ''] = RECORDS;
  const { target, conversion } = await convert('hurt.arc', `${first}${second}garbage\n${third}`);
  expect(conversion.problems).toHaveLength(1);
  const last = (await collect(readRecords(target))).at(-1);
  expect(last && (await bodyBytes(last.block)).toString()).toContain('left-out: 1 parts');
});
