import { cp, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captureResolver } from '../../src/access/resolve-capture.ts';
import type { CaptureFact } from '../../src/model/capture.ts';
import { pageInfoUri } from '../../src/model/derived-uris.ts';
import { openRecordReader } from '../../src/warc/record-reader.ts';
import { validateWacz } from '../conformance/wacz/validate-wacz.ts';
import { capturesOf, complaints, daguerre, FAST, temporaryFolder, withCatalog } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

const logo = { headers: { 'Content-Type': 'image/svg+xml' }, body: `<svg><!--${'x'.repeat(300)}--></svg>` };

let folder: string;
let archive: string;
let one: SmallSite;
let two: SmallSite;
/** When the second crawl of site one began. */
let later: number;

/** Site one twice, its images on site two; site two once, in a collection of its own. */
beforeAll(async () => {
  folder = await temporaryFolder();
  archive = join(folder, 'archive');
  two = await startSite({ '/': page('Two', ['/x']), '/x': page('X'), '/logo.svg': logo }, '127.0.0.2');
  const home = `${page('One', ['/a'])}<img src="${two.url}/logo.svg">`;
  one = await startSite({ '/': home, '/a': page('A') });
  const crawl = (url: string, collection: string) =>
    daguerre(['archive', url, '--archive', archive, '--collection', collection, ...FAST]);
  expect((await crawl(`127.0.0.1:${one.port}`, 'first')).code).toBe(0);
  expect((await crawl(`${two.url}/`, 'second')).code).toBe(0);
  later = Date.now();
  one.become({ '/': home, '/a': page('A, otherwise') });
  expect((await crawl(`${one.url}/`, 'first')).code).toBe(0);
});

afterAll(async () => {
  await one.close();
  await two.close();
});

interface Exported {
  readonly out: string;
  readonly captures: number;
  readonly pages: number;
  readonly originals: number;
}

async function exported(name: string, ...filters: string[]): Promise<Exported> {
  const out = join(folder, `${name}.wacz`);
  const run = await daguerre(['export', '--archive', archive, '--out', out, '--json', ...filters]);
  expect(run.stderr).toBe('');
  expect((await validateWacz(out)).errors).toEqual([]);
  return run.json<Exported>();
}

/** The WACZ alone, in an archive of its own: what it holds, and what cannot be shown from it. */
async function imported(
  name: string,
): Promise<{ captures: readonly CaptureFact[]; broken: readonly string[] }> {
  const copy = join(folder, `${name}-imported`);
  expect((await daguerre(['import', join(folder, `${name}.wacz`), '--archive', copy])).code).toBe(0);
  expect(await complaints(copy)).toEqual([]);
  // What the import itself wrote down is none of it.
  const captures = (await capturesOf(copy)).filter(({ url }) => !url.startsWith('urn:import:'));
  const reader = openRecordReader(join(copy, 'warc'));
  try {
    const broken = await withCatalog(copy, async (catalog) => {
      const resolver = captureResolver(catalog, reader);
      const lost: string[] = [];
      for (const { url, at } of captures) {
        const found = await resolver.resolve(url, at);
        if (found.kind === 'found') await found.capture.payload.release();
        else lost.push(`${url} ${found.kind}`);
      }
      return lost;
    });
    return { captures, broken };
  } finally {
    await reader.close();
  }
}

const pathsOf = (captures: readonly CaptureFact[], site: SmallSite): string[] => [
  ...new Set(captures.filter(({ url }) => url.startsWith(site.url)).map(({ url }) => new URL(url).pathname)),
];

describe('export of a part', () => {
  it('--site => that site, with the images its pages show from another; it stands alone', async () => {
    await exported('site', '--site', `127.0.0.1:${one.port}`);
    const { captures, broken } = await imported('site');
    expect(broken).toEqual([]);
    expect(pathsOf(captures, one)).toEqual(expect.arrayContaining(['/', '/a']));
    expect(pathsOf(captures, two)).toEqual(['/logo.svg']);
    expect(captures.some(({ url }) => /^urn:(crawl|certificate):/.test(url))).toBe(false);
  });

  it('--from => what was captured since, and the older originals of what had not changed', async () => {
    const { originals } = await exported('later', '--from', new Date(later).toISOString());
    expect(originals).toBeGreaterThan(0);
    const { captures, broken } = await imported('later');
    expect(broken).toEqual([]);
    expect(captures.filter(({ at }) => at < later)).toHaveLength(originals);
    expect(pathsOf(captures, two)).not.toContain('/x');
    // Of a page that had not changed the catalog lists no page info: it is in the record file.
    const infos = captures.filter(({ at, url }) => at >= later && url.startsWith('urn:pageinfo:'));
    const of = ['/', '/a'].map((path) => pageInfoUri(`${one.url}${path}`));
    expect(infos.map(({ url }) => url).toSorted()).toEqual(of.toSorted());
  });

  it('--to => nothing of after', async () => {
    await exported('earlier', '--to', new Date(later - 1).toISOString());
    const { captures, broken } = await imported('earlier');
    expect(broken).toEqual([]);
    expect(captures.filter(({ at }) => at >= later).map(({ url }) => url)).toEqual([]);
    expect(pathsOf(captures, two)).toContain('/x');
  });

  it('--collection => by what the record files say, also after reindex', async () => {
    const before = await exported('second', '--collection', 'second');
    const { captures, broken } = await imported('second');
    expect(broken).toEqual([]);
    expect(pathsOf(captures, one)).toEqual([]);
    expect(pathsOf(captures, two)).toEqual(expect.arrayContaining(['/', '/x']));
    expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
    expect(await exported('second', '--collection', 'second')).toMatchObject({ captures: before.captures });
  });

  it('--url-prefix without a scheme => addresses that begin so', async () => {
    const { pages } = await exported('prefix', '--url-prefix', `127.0.0.1:${one.port}/a`);
    expect(pages).toBe(2);
    const { captures, broken } = await imported('prefix');
    expect(broken).toEqual([]);
    expect(pathsOf(captures, one)).toEqual(['/a']);
  });

  it.each([
    [
      ['--site', 'nowhere.example'],
      /nothing of nowhere\.example is in the archive; there are: 127\.0\.0\.1:/,
    ],
    [['--collection', 'third'], /no collection 'third' in the archive; there are: first, second/],
    [['--to', '1999'], /no capture is as asked for; captures are from 20\d\d-/],
    [['--site', ' '], /is no site/],
  ])('%j => exit code 2, and what there is', async (filters, words) => {
    const out = join(folder, 'nothing.wacz');
    const { code, stderr } = await daguerre(['export', '--archive', archive, '--out', out, ...filters]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });

  it('a record that cannot be read => the rest, how many are left out, and exit code 8', async () => {
    const damaged = join(folder, 'damaged');
    await cp(archive, damaged, { recursive: true });
    const [capture] = (await capturesOf(damaged)).filter(({ url }) => url === `${one.url}/a`);
    const file = await open(join(damaged, 'warc', capture?.file ?? ''), 'r+');
    await file.write(Buffer.alloc(20, 0xff), 0, 20, (capture?.offset ?? 0) + 20);
    await file.close();
    const out = join(folder, 'damaged.wacz');
    const run = await daguerre(['export', '--archive', damaged, '--out', out, '--collection', 'first']);
    expect([run.code, run.stdout]).toEqual([8, expect.stringMatching(/^! \d+ captures? left out/m)]);
    // Files that go in whole are copied with their damage, and that is told.
    const all = await daguerre(['export', '--archive', damaged, '--out', out]);
    const told = /^! 1 record in it cannot be read, the first in \S+ at \d+ \(gzip: .*'daguerre verify'/m;
    expect([all.code, all.stdout]).toEqual([8, expect.stringMatching(told)]);
  });

  it('nothing is left behind', async () => {
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
