import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AT, collect, temporaryArchive } from '../../test/warc-events.ts';
import type { CaptureFact } from '../model/capture.ts';
import {
  type CdxjProblem,
  cdxjKey,
  cdxjLine,
  parseCdxjLine,
  parseTimestamp14,
  readCdxj,
  timestamp14,
  writeCdxj,
} from './cdxj.ts';

const fact: CaptureFact = {
  url: 'https://www.example.com/B?y=1&x=ü',
  at: AT,
  type: 'response',
  recordId: '<urn:uuid:1>',
  method: 'GET',
  status: 200,
  mime: 'text/html',
  digest: { sha256: 'ab'.repeat(32), sha1: 'A'.repeat(32), size: 3 },
  file: 'a.warc.gz',
  offset: 12,
  length: 34,
};

test('a capture => surt, 14 digits, JSON with numbers as text, all ASCII', () => {
  const digest = `sha256:${'ab'.repeat(32)}`;
  expect(cdxjLine(fact)).toBe(
    `com,example)/b?x=%C3%BC&y=1 20260102030405 {"url":"https://www.example.com/B?y=1&x=\\u00fc","mime":"text/html","status":"200","digest":"${digest}","length":"34","offset":"12","filename":"a.warc.gz"}`,
  );
});

test('a revisit of another tool => warc/revisit, its sha1', () => {
  const entry = parseCdxjLine(
    cdxjLine({ ...fact, type: 'revisit', digest: { sha256: '', sha1: 'B'.repeat(32), size: 0 } }),
  );
  expect(entry).toMatchObject({
    mime: 'warc/revisit',
    digest: `sha1:${'B'.repeat(32)}`,
    offset: 12,
    status: 200,
  });
});

test('POST with a form => method and body in key and fields, as warcio writes them', () => {
  const line = cdxjLine({
    ...fact,
    url: 'http://httpbin.org/post',
    method: 'POST',
    requestBody: 'foo=bar&test=abc',
  });
  expect(line).toMatch(/^org,httpbin\)\/post\?__wb_method=post&foo=bar&test=abc 2026/);
  expect(parseCdxjLine(line)).toMatchObject({ method: 'POST', requestBody: 'foo=bar&test=abc' });
});

test('keys: urn as it is, spaces and non-ASCII encoded', () => {
  expect(cdxjKey('urn:pageinfo:https://A.b/')).toBe('urn:pageinfo:https://A.b/');
  expect(cdxjKey('file:///a b/ü')).toBe('file:///a%20b/%c3%bc');
});

test('timestamps: there and back, short ones, bad ones', () => {
  expect(parseTimestamp14(timestamp14(AT))).toBe(AT - 678);
  expect(parseTimestamp14('2026')).toBe(Date.UTC(2026, 0, 1));
  expect(parseTimestamp14('20260102')).toBe(Date.UTC(2026, 0, 2));
  expect(parseTimestamp14('yesterday')).toBeNaN();
});

test('not CDXJ => undefined', () => {
  for (const line of ['', 'a b', 'a 2026 {', '!meta 0 {"x":1}', 'a 2026 null'])
    expect(parseCdxjLine(line)).toBeUndefined();
});

describe('files', () => {
  let archive: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ archive, remove } = await temporaryArchive());
  });
  afterEach(() => remove());

  test('facts in any order => byte-sorted lines, no temporary file left', async () => {
    const path = join(archive, 'x.cdxj');
    const urls = [
      'http://b.com/',
      'http://a.com/~',
      'http://a.com/a',
      'http://a.com/',
      'urn:text:http://a.com/',
    ];
    expect(
      await writeCdxj(
        path,
        urls.map((url) => ({ ...fact, url })),
      ),
    ).toBe(5);
    const lines = (await readFile(path)).toString().trimEnd().split('\n');
    const sorted = [...lines].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(lines).toEqual(sorted);
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      'com,a)/',
      'com,a)/a',
      'com,a)/~',
      'com,b)/',
      'urn:text:http://a.com/',
    ]);
    expect(await readdir(archive)).toEqual(['x.cdxj']);
    const problems: CdxjProblem[] = [];
    expect(await collect(readCdxj(path, (problem) => problems.push(problem)))).toHaveLength(5);
    expect(problems).toEqual([]);
  });

  test('unsorted or broken lines => told with their byte offset (pywb#982)', async () => {
    const path = join(archive, 'x.cdxj');
    const [a, b] = ['http://a.com/', 'http://b.com/'].map((url) => cdxjLine({ ...fact, url })) as [
      string,
      string,
    ];
    await writeFile(path, `!meta x\n${b}\n${a}\nz broken\n`);
    const problems: CdxjProblem[] = [];
    await collect(readCdxj(path, (problem) => problems.push(problem)));
    expect(problems.map(({ offset, reason }) => [offset, reason.slice(0, 10)])).toEqual([
      [8 + b.length + 1, 'not sorted'],
      [8 + b.length + 1 + a.length + 1, 'not a CDXJ'],
    ]);
  });
});
