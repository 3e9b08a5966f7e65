import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SAMPLE, writeSampleWarc } from '../../test/conformance/wacz/sample-archive.ts';
import { dataPackage } from '../warc/wacz/datapackage.ts';
import { createZip } from '../warc/wacz/zip-writer.ts';
import { exportArchive } from './export/export-archive.ts';
import { importFiles } from './import/import-files.ts';
import { openForWriting } from './open/open-archive.ts';

/* What an import, an export or an index leaves out is counted where people look. */

let dir: string;
let archive: string;
let warc: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'daguerre-'));
  archive = join(dir, 'archive');
  ({ path: warc } = await writeSampleWarc(dir, 'sample.warc.gz', SAMPLE));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function writeWacz(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const path = join(dir, 'sample.wacz');
  const zip = await createZip(path, 0);
  async function* once(bytes: Buffer) {
    yield bytes;
  }
  const entries = [];
  for (const [name, content] of Object.entries(files))
    entries.push(await zip.add(name, once(Buffer.from(content)), 'store'));
  const { content } = dataPackage({ software: 'test', created: 0 }, entries);
  await zip.add('datapackage.json', once(content), 'store');
  await zip.finish();
  return path;
}

test('a WACZ whose page list and index have lines that cannot be read => its records, and a warning for each list', async () => {
  const header = '{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}';
  const page = '{"url": "http://news.example/", "ts": "2026-01-02T03:04:05Z", "title": "News"}';
  const path = await writeWacz({
    'archive/sample.warc.gz': await readFile(warc),
    'indexes/index.cdxj': 'example,news)/ 20260102030405 {"url": \nno line at all\n!meta 0 {}\n',
    'pages/pages.jsonl': `${header}\n${page}\n{"url": \n`,
  });
  const report = await importFiles({ archive }, [path]);
  expect(report).toMatchObject({ files: 1, captures: SAMPLE.length, errors: [] });
  expect(report.warnings.map(({ file, reason }) => `${file.slice(path.length)}: ${reason}`)).toEqual([
    expect.stringMatching(/^\/indexes\/index\.cdxj: 2 of its lines are no CDXJ/),
    expect.stringMatching(/^\/pages\/pages\.jsonl: line 3 /),
  ]);
});

test('a WACZ whose compressed index breaks off => a warning, for nobody knows what else it names', async () => {
  const index = gzipSync('example,news)/ 20260102030405 {"url": "http://news.example/"}\n'.repeat(500));
  const path = await writeWacz({
    'archive/sample.warc.gz': await readFile(warc),
    'indexes/index.cdx.gz': index.subarray(0, index.length - 30),
    'pages/pages.jsonl': '{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}\n',
  });
  const { errors, warnings } = await importFiles({ archive }, [path]);
  expect(errors).toEqual([]);
  expect(warnings.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^cannot be read to its end/)]);
});

test('record files that were copied in => damage and departures from the standard are told apart', async () => {
  await (await openForWriting({ archive }, 'test')).close();
  const plain = gunzipSync(await readFile(warc)).toString('latin1');
  // Four records, one of them with a malformed date that can still be read.
  const loose = plain.replace(/WARC-Date: (\S+)T(\S+)Z/, 'WARC-Date: $1 $2');
  expect(loose).not.toBe(plain);
  await writeFile(join(archive, 'warc', 'loose.warc'), loose, 'latin1');
  const opened = await openForWriting({ archive }, 'test');
  await opened.close();
  expect(opened.mended).toEqual([
    expect.stringMatching(/^1 records depart from the standard/),
    expect.stringMatching(/^1 record files that the catalog did not know, or not whole, were indexed/),
  ]);
});

test('a part of an archive with a damaged record => the rest, and how many captures are left out', async () => {
  await importFiles({ archive }, [warc]);
  const [file] = [join(archive, 'warc', 'sample.warc.gz')];
  const bytes = await readFile(file);
  const second = bytes.indexOf(Buffer.from([0x1f, 0x8b, 8]), 100);
  bytes.fill(0xff, second + 20, second + 40);
  await writeFile(file, bytes);
  const out = join(dir, 'part.wacz');
  const report = await exportArchive({ archive }, { format: 'wacz', out, site: 'news.example' });
  expect(report).toMatchObject({ captures: SAMPLE.length - 1, capturesLeftOut: 1 });
  await copyFile(warc, file);
  const whole = await exportArchive({ archive }, { format: 'wacz', out, site: 'news.example' });
  expect(whole).toMatchObject({ captures: SAMPLE.length, capturesLeftOut: 0 });
});
