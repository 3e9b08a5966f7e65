import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CaptureFact, isWebCapture } from '../../src/model/capture.ts';
import { sharedData } from '../shared-data.ts';
import {
  capturesOf,
  collect,
  complaints,
  daguerre,
  FAST,
  type Finished,
  temporaryFolder,
  withCatalog,
} from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

interface ImportReport {
  readonly files: number;
  readonly already: number;
  readonly captures: number;
  readonly pages: number;
  readonly errors: readonly ImportProblem[];
  readonly warnings: readonly ImportProblem[];
  readonly notes: readonly ImportProblem[];
  readonly signatures: readonly { file: string; verdict: string; by?: string; reasons: string[] }[];
}

type ImportProblem = { readonly file: string; readonly offset: number; readonly reason: string };

/** Without the records that say what was imported. */
async function broughtIn(archive: string): Promise<CaptureFact[]> {
  return (await capturesOf(archive)).filter(({ url }) => !url.startsWith('urn:import:'));
}

const warcio = sharedData('fixtures/warcio/test/data') ?? '';
const wacz = sharedData('fixtures/py-wacz/tests/fixtures') ?? '';
const samples = sharedData('fixtures/warc-specifications/specifications/warc-deduplication/samples') ?? '';
if (!warcio || !wacz || !samples) console.warn('skipped: foreign files, because ../shared/data is absent');

async function importInto(archive: string, ...files: string[]): Promise<Finished & { report: ImportReport }> {
  const run = await daguerre(['import', ...files, '--archive', archive, '--json']);
  return { ...run, report: run.json<ImportReport>() };
}

describe.skipIf(!warcio || !wacz || !samples)('files of other tools', () => {
  it('sound WARC, ARC, WACZ, gzipped or not => captures and pages, exit code 0', async () => {
    const archive = await temporaryFolder();
    const { code, report } = await importInto(
      archive,
      join(warcio, 'example.warc.gz'),
      join(warcio, 'example.arc'),
      join(warcio, 'example-iana.org-chunked.warc'),
      join(warcio, 'example-resource.warc.gz'),
      join(warcio, 'post-test.warc.gz'),
      join(wacz, 'valid_example_1.wacz'),
      join(wacz, 'valid_signed_example_1.wacz'),
    );
    expect(report.errors).toEqual([]);
    expect(code).toBe(0);
    expect(report.files).toBe(7);
    const captures = await broughtIn(archive);
    expect(captures.filter(isWebCapture).length).toBe(report.captures);
    expect(report.signatures).toMatchObject([
      { verdict: 'none' },
      { verdict: 'valid', by: 'btrix-sign-test.webrecorder.net' },
    ]);
    const urls = new Set(captures.map(({ url }) => url));
    for (const url of ['http://example.com/', 'http://www.iana.org/', 'http://httpbin.org/post'])
      expect(urls).toContain(url);
    const pages = await withCatalog(archive, (catalog) => catalog.pages({}));
    expect(pages.map(({ title }) => title)).toContain('Example Domain');
    expect(await complaints(archive)).toEqual([]);
  });

  it('damaged files => file and offset of each damage, exit code 6, whole records kept', async () => {
    const archive = await temporaryFolder();
    const damaged = [
      'bad.arc',
      'example-bad-non-chunked.warc.gz',
      'example-trunc.warc',
      'example-wrong-chunks.warc.gz',
    ];
    const { code, report } = await importInto(archive, ...damaged.map((name) => join(warcio, name)));
    expect(code).toBe(6);
    const told = (name: string) =>
      report.errors.filter(({ file }) => basename(file) === name).map(({ offset }) => offset);
    expect(told('bad.arc')).toEqual([0, 134, 262]);
    expect(told('example-trunc.warc')).toEqual([1197]);
    // A file gzipped as a whole is compressed again; a record over two members can be read.
    expect(told('example-bad-non-chunked.warc.gz')).toEqual([]);
    expect(report.notes).toMatchObject([
      { reason: expect.stringContaining('6 records were compressed again') },
    ]);
    expect(report.warnings).toMatchObject([
      { file: 'example-trunc.warc', reason: expect.stringContaining('no capture in it') },
      { reason: expect.stringContaining('spread over 2 gzip members') },
    ]);
    expect(report.files).toBe(4);
    const files = (await capturesOf(archive)).map(({ file }) => file);
    expect(files).toContain('example-wrong-chunks.warc.gz');
    expect(files).toContain('example-bad-non-chunked.warc.gz');
  });

  it('text under the name of a WARC, and a broken WACZ => refused, nothing is copied', async () => {
    const folder = await temporaryFolder();
    const archive = join(folder, 'archive');
    const files = ['notes.warc.gz', 'packed.warc.gz', 'empty.warc', 'broken.wacz'].map((name) =>
      join(folder, name),
    );
    await writeFile(files[0] as string, 'These are my notes.\n'.repeat(500));
    await writeFile(files[1] as string, gzipSync('These are my notes, too.\n'.repeat(500)));
    await writeFile(files[2] as string, '');
    await writeFile(files[3] as string, 'PK\u0003\u0004 but no more');
    const { code, report, stderr } = await importInto(archive, ...files);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(code).toBe(6);
    expect(report).toMatchObject({ files: 0, captures: 0 });
    expect(report.errors.map(({ file }) => basename(file))).toEqual([
      'notes.warc.gz',
      'packed.warc.gz',
      'empty.warc',
      'broken.wacz',
    ]);
    expect(await readdir(join(archive, 'warc'))).toEqual([]);
    expect(await readdir(join(archive, 'tmp'))).toEqual([]);
  });

  it('one file of several is missing => exit code 2, before any is brought in', async () => {
    const folder = await temporaryFolder();
    const archive = join(folder, 'archive');
    const args = ['import', join(warcio, 'example.warc.gz'), join(folder, 'absent.warc')];
    const { code, stderr, stdout } = await daguerre([...args, '--archive', archive, '--json']);
    expect(stderr).toContain('absent.warc does not exist');
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(existsSync(archive)).toBe(false);
  });

  it('revisits of Heritrix, old and new headers, before and after their originals => all resolve', async () => {
    const archive = await temporaryFolder();
    const { code } = await importInto(
      archive,
      join(samples, '20130729-heritrix-revisit-with-http-headers.warc.gz'),
      join(samples, '20130729-heritrix-original.warc.gz'),
      join(samples, '20141129-heritrix-original.warc.gz'),
      join(samples, '20141129-heritrix-revisit-with-http-headers-and-new-warc-headers.warc.gz'),
      join(samples, '20141124-heritrix-server-not-modified.warc.gz'),
    );
    expect(code).toBe(0);
    await withCatalog(archive, async (catalog) => {
      const captures = await collect(catalog.captures({}));
      const revisits = captures.filter(({ type }) => type === 'revisit');
      expect(revisits).toHaveLength(3);
      for (const revisit of revisits) {
        const original = await catalog.originalOf(revisit);
        expect(original).toMatchObject({ type: 'response', url: revisit.url });
      }
    });
  });
});

describe('an archive of ours', () => {
  let site: SmallSite;
  let folder: string;
  let archive: string;
  let before: readonly CaptureFact[];

  beforeAll(async () => {
    site = await startSite((path) => {
      if (path === '/') return page('Home', ['/a', '/b', '/moved', '/gone', '/d%C3%A9j%C3%A0']);
      if (path === '/moved') return { status: 301, headers: { Location: '/a' } };
      if (path === '/a' || path === '/b') return page('Twins <&> "é"');
      return path === '/d%C3%A9j%C3%A0' ? page('Déjà vu') : undefined;
    });
    folder = await temporaryFolder();
    archive = join(folder, 'archive');
    // Twice, so that there are revisits of a crawl before and two record files.
    for (let i = 0; i < 2; i++)
      expect((await daguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST])).code).toBe(0);
    before = await capturesOf(archive);
  }, 120_000);
  afterAll(() => site.close());

  const facts = (captures: readonly CaptureFact[]) =>
    captures
      .map(({ url, at, type, recordId, status, mime, digest, method, truncated, refersTo, eventId }) =>
        JSON.stringify({
          url,
          at,
          type,
          recordId,
          status,
          mime,
          digest,
          method,
          truncated,
          refersTo,
          eventId,
        }),
      )
      .toSorted();
  const pagesOf = (at: string) =>
    withCatalog(at, async (catalog) =>
      (await catalog.pages({})).toSorted((a, b) => (a.url < b.url ? -1 : 1)),
    );

  it('the catalog is deleted, reindex => the same captures, pages, titles and links', async () => {
    const copy = join(folder, 'reindexed');
    await cp(archive, copy, { recursive: true });
    for (const name of await readdir(copy)) if (name.startsWith('catalog.')) await rm(join(copy, name));
    const { code, json } = await daguerre(['reindex', '--archive', copy, '--json']);
    expect(code).toBe(0);
    expect(json()).toMatchObject({ files: 2, captures: before.filter(isWebCapture).length, errors: [] });
    expect(await capturesOf(copy)).toEqual(before);
    expect(await pagesOf(copy)).toEqual(await pagesOf(archive));
    expect((await pagesOf(copy)).map(({ title }) => title)).toContain('Déjà vu');
    const links = (at: string) =>
      withCatalog(at, async (catalog) =>
        (await catalog.links({})).map(({ from, to }) => `${from} ${to}`).toSorted(),
      );
    expect(await links(copy)).toEqual(await links(archive));
    expect(await complaints(copy)).toEqual([]);
  });

  it('the same file twice, under another name too, and inside a WACZ => one copy', async () => {
    const other = await temporaryFolder();
    const [file = ''] = await readdir(join(archive, 'warc'));
    const renamed = join(other, 'renamed.warc.gz');
    await cp(join(archive, 'warc', file), renamed);
    const wacz = join(other, 'out.wacz');
    await daguerre(['export', '--archive', archive, '--out', wacz]);
    const into = join(other, 'into');
    const first = await importInto(into, renamed);
    expect(first.report).toMatchObject({ files: 1, already: 0, errors: [] });
    const second = await importInto(into, renamed, join(archive, 'warc', file), wacz);
    expect(second.code).toBe(0);
    // The archive has two record files: the second is new.
    expect(second.report).toMatchObject({ files: 1, already: 3, errors: [] });
    const third = await importInto(into, wacz);
    expect(third.report).toMatchObject({ files: 0, already: 2, captures: 0, errors: [] });
    const ofImports = /^import-0-/;
    expect((await readdir(join(into, 'warc'))).filter((name) => !ofImports.test(name))).toHaveLength(2);
    expect(await complaints(into)).toEqual([]);
  });

  it('exported as WACZ, imported into a new archive => the same captures, pages and titles', async () => {
    const out = join(folder, 'site.wacz');
    const copy = join(folder, 'imported');
    const exported = await daguerre(['export', '--archive', archive, '--out', out, '--json']);
    expect(exported.code).toBe(0);
    const { code, report } = await importInto(copy, out);
    expect(report.errors).toEqual([]);
    expect(code).toBe(0);
    expect(facts(await broughtIn(copy))).toEqual(facts(before));
    const titles = async (at: string) => (await pagesOf(at)).map(({ url, title }) => [url, title]);
    expect(await titles(copy)).toEqual(await titles(archive));
    expect(await complaints(copy)).toEqual([]);
  });

  it('a record file cut in the middle => the records before the cut, the offset of the cut, exit code 6', async () => {
    const name = before[0]?.file as string;
    const inFile = before.filter(({ file }) => file === name).toSorted((a, b) => a.offset - b.offset);
    const cut = inFile[Math.floor(inFile.length / 2)] as CaptureFact;
    const partial = join(folder, 'partial.warc.gz');
    await writeFile(partial, await readFile(join(archive, 'warc', name)));
    await truncate(partial, cut.offset + 20);
    const copy = join(folder, 'partly');
    const { code, report } = await importInto(copy, partial);
    expect(code).toBe(6);
    expect(report.errors).toMatchObject([{ offset: cut.offset }]);
    const kept = inFile.filter(({ offset }) => offset < cut.offset);
    expect(facts(await broughtIn(copy))).toEqual(facts(kept));
  });

  it('a WARC copied into the folder by hand => the next command that writes indexes it', async () => {
    const copy = join(folder, 'by-hand');
    await mkdir(join(copy, 'warc'), { recursive: true });
    for (const name of await readdir(join(archive, 'warc')))
      await cp(join(archive, 'warc', name), join(copy, 'warc', name));
    const args = ['archive', `${site.url}/`, '--archive', copy, ...FAST];
    const { code, stderr, json } = await daguerre(args);
    expect(stderr).toContain('2 record files that the catalog did not know, or not whole, were indexed');
    expect(code).toBe(0);
    // Of two pages with the same bytes both are as they were.
    expect(json()).toMatchObject({ captured: 0, unchanged: 4, redirects: 1, failed: 1 });
    expect(await complaints(copy)).toEqual([]);
  });
});
