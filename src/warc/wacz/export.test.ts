import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  each,
  SAMPLE,
  SECOND,
  samplePages,
  writeSampleWarc,
} from '../../../test/conformance/wacz/sample-archive.ts';
import { validateWacz } from '../../../test/conformance/wacz/validate-wacz.ts';
import type { CaptureFact } from '../../model/capture.ts';
import { exportWacz, type WaczExport } from './export.ts';
import { extractWarcs } from './extract.ts';
import { readWacz } from './read.ts';

let dir: string;
let warc: string;
let facts: CaptureFact[];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'daguerre-'));
  ({ path: warc, facts } = await writeSampleWarc(dir, 'DAG-1.warc.gz', SAMPLE));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function options(more: Partial<WaczExport> = {}): WaczExport {
  return {
    out: join(dir, 'out.wacz'),
    warcFiles: [warc],
    captures: each(facts),
    pages: each(samplePages()),
    title: 'News',
    software: 'Daguerre test',
    created: SECOND + 60_000,
    ...more,
  };
}

async function entryText(path: string, name: string): Promise<string> {
  const wacz = await readWacz(path);
  try {
    const entry = wacz.entry(name);
    if (!entry) throw new Error(`no ${name}`);
    return await wacz.zip.text(entry, 10_000_000);
  } finally {
    await wacz.close();
  }
}

describe('exportWacz', () => {
  it('one WARC, four captures, three page captures => a package that validates', async () => {
    const result = await exportWacz(options());
    expect(result).toMatchObject({ warcs: 1, captures: 4, capturesLeftOut: 0, pages: 3 });
    expect((await readFile(result.path)).length).toBe(result.bytes);
    expect(await validateWacz(result.path)).toEqual({ entries: 5, errors: [] });
    expect((await readdir(dir)).sort()).toEqual(['DAG-1.warc.gz', 'out.wacz']);
  });

  it('datapackage.json => version, software, main page and every resource', async () => {
    const { path } = await exportWacz(options());
    const json = JSON.parse(await entryText(path, 'datapackage.json'));
    expect(json).toMatchObject({
      profile: 'data-package',
      title: 'News',
      mainPageUrl: 'http://news.example/',
      mainPageDate: '2026-01-02T03:04:05Z',
      created: '2026-01-09T03:05:05Z',
      wacz_version: '1.1.1',
      software: 'Daguerre test',
    });
    expect(json.resources.map((r: { name: string; path: string }) => [r.name, r.path])).toEqual([
      ['index.cdxj', 'indexes/index.cdxj'],
      ['pages.jsonl', 'pages/pages.jsonl'],
      ['dag-1.warc.gz', 'archive/DAG-1.warc.gz'],
    ]);
  });

  it('two captures of one URL => two pages, two index lines in order of time', async () => {
    const { path } = await exportWacz(options());
    const pages = (await entryText(path, 'pages/pages.jsonl')).trimEnd().split('\n');
    expect(JSON.parse(pages[0] ?? '')).toEqual({
      format: 'json-pages-1.0',
      id: 'pages',
      title: 'All Pages',
    });
    expect(pages.slice(1).map((line) => JSON.parse(line).ts)).toEqual([
      '2026-01-02T03:04:05.000Z',
      '2026-01-02T03:04:06.000Z',
      '2026-01-09T03:04:05.000Z',
    ]);
    const index = (await entryText(path, 'indexes/index.cdxj')).trimEnd().split('\n');
    expect(index.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'example,news)/ 20260102030405',
      'example,news)/ 20260109030405',
      'example,news)/about 20260102030406',
      'example,news)/style.css 20260102030405',
    ]);
    expect(index[0]).toContain('"filename":"DAG-1.warc.gz"');
  });

  it('the same input twice => the same bytes', async () => {
    const a = await exportWacz(options({ out: join(dir, 'a.wacz') }));
    const b = await exportWacz(options({ out: join(dir, 'b.wacz') }));
    expect((await readFile(a.path)).equals(await readFile(b.path))).toBe(true);
  });

  it('captures of another WARC file => left out of the index, and counted', async () => {
    const stray = { ...(facts[0] as CaptureFact), file: 'elsewhere.warc.gz' };
    const result = await exportWacz(options({ captures: each([stray, ...facts]) }));
    expect(result).toMatchObject({ captures: 4, capturesLeftOut: 1 });
    expect((await validateWacz(result.path)).errors).toEqual([]);
  });

  it('a file that still grows, length given => only that much of it is packed', async () => {
    const whole = await readFile(warc);
    await writeFile(warc, Buffer.concat([whole, Buffer.from('half a rec')]));
    const result = await exportWacz(options({ warcFiles: [{ path: warc, length: whole.length }] }));
    const { warcs } = await extractWarcs(result.path, await mkdtemp(join(dir, 'x-')));
    expect(await readFile(warcs[0]?.path ?? '')).toEqual(whole);
  });

  it('12,000 captures => ZipNum index with blocks of 1024 lines', async () => {
    const many = Array.from({ length: 12_000 }, (_, i) => ({
      ...(facts[0] as CaptureFact),
      url: `http://news.example/${String(i).padStart(5, '0')}`,
    }));
    const result = await exportWacz(options({ captures: each(many) }));
    expect(result.captures).toBe(12_000);
    expect(await validateWacz(result.path)).toEqual({ entries: 6, errors: [] });
    const idx = (await entryText(result.path, 'indexes/index.idx')).trimEnd().split('\n');
    expect(idx[0]).toBe('!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}');
    expect(idx).toHaveLength(1 + Math.ceil(12_000 / 1024));
    expect(idx[2]).toMatch(/^example,news\)\/01024 20260102030405 \{/);

    const wacz = await readWacz(result.path);
    const entry = wacz.entry('indexes/index.cdx.gz');
    if (!entry) throw new Error('no index');
    expect(entry.stored).toBe(true);
    const parts: Uint8Array[] = [];
    for await (const chunk of wacz.zip.chunks(entry)) parts.push(chunk);
    await wacz.close();
    const { offset, length } = JSON.parse((idx[2] as string).slice((idx[2] as string).indexOf('{')));
    const block = gunzipSync(Buffer.concat(parts).subarray(offset, offset + length)).toString();
    expect(block.split('\n')[0]).toMatch(/^example,news\)\/01024 /);
  });

  it('a WARC file that is missing => error that names it, and no file is left', async () => {
    const lost = join(dir, 'lost.warc.gz');
    await expect(exportWacz(options({ warcFiles: [lost] }))).rejects.toThrow(/lost\.warc\.gz/);
    await expect(exportWacz(options({ warcFiles: [{ path: warc, length: 10_000_000 }] }))).rejects.toThrow(
      /DAG-1\.warc\.gz ends at byte/,
    );
    expect(await readdir(dir)).toEqual(['DAG-1.warc.gz']);
  });

  it('the list of captures fails half-way => its error, and the old WACZ stays', async () => {
    await writeFile(join(dir, 'out.wacz'), 'old');
    async function* failing(): AsyncGenerator<CaptureFact> {
      yield facts[0] as CaptureFact;
      throw new Error('catalog is gone');
    }
    await expect(exportWacz(options({ captures: failing() }))).rejects.toThrow('catalog is gone');
    async function* failingPages(): AsyncGenerator<never> {
      yield* [];
      throw new Error('pages are gone');
    }
    await expect(exportWacz(options({ pages: failingPages() }))).rejects.toThrow('pages are gone');
    expect((await readdir(dir)).sort()).toEqual(['DAG-1.warc.gz', 'out.wacz']);
    expect(await readFile(join(dir, 'out.wacz'), 'utf8')).toBe('old');
  });

  it('two WARC files of one name, none, or another kind of file => refused', async () => {
    const other = await writeSampleWarc(await mkdtemp(join(dir, 'd-')), 'DAG-1.warc.gz', SAMPLE);
    await expect(exportWacz(options({ warcFiles: [warc, other.path] }))).rejects.toThrow(/same file name/);
    await expect(exportWacz(options({ warcFiles: [] }))).rejects.toThrow(/at least one WARC/);
    await expect(exportWacz(options({ warcFiles: [join(dir, 'a.txt')] }))).rejects.toThrow(/not named/);
  });

  it('no page at all => header only, no main page', async () => {
    const { path } = await exportWacz(options({ pages: each([]) }));
    expect((await validateWacz(path)).errors).toEqual([]);
    expect(JSON.parse(await entryText(path, 'datapackage.json'))).not.toHaveProperty('mainPageUrl');
  });
});
