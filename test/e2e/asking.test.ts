import { existsSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SAMPLE, writeSampleWarc } from '../conformance/wacz/sample-archive.ts';
import {
  capturesOf,
  complaints,
  daguerre,
  FAST,
  type Running,
  spawnDaguerre,
  temporaryFolder,
} from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/* One process writes to an archive; others ask it to write something for them. */

const PAGES = 20;

let folder: string;
let archive: string;
let site: SmallSite;
let held: ServerResponse[];
let crawl: Running;

/** A crawl that cannot end before `release`: the last page is not answered. */
beforeEach(async () => {
  folder = await temporaryFolder();
  archive = join(folder, 'archive');
  held = [];
  site = await startSite((path) => {
    if (path === '/robots.txt') return undefined;
    if (path === '/last') return (_, response) => void held.push(response);
    const number = Number(path.slice(2) || 0);
    return page(`Page ${number}`, number < PAGES ? [`/p${number + 1}`] : ['/last']);
  });
  crawl = startCrawl();
  await Promise.race([site.seen(PAGES + 2), crawl.ended]);
});

afterEach(async () => {
  crawl.child.kill('SIGKILL');
  await crawl.ended;
  await site.close();
});

const startCrawl = (): Running =>
  spawnDaguerre(['archive', `${site.url}/`, '--archive', archive, ...FAST, '--attempts', '1']);

async function release(): Promise<void> {
  site.become((path) => (path === '/robots.txt' ? undefined : page('Last')));
  for (const response of held.splice(0)) response.end(page('Last'));
}

const importing = (...files: string[]): Running =>
  spawnDaguerre(['import', ...files, '--archive', archive, '--json']);

/** Takes seconds to index. */
async function largeWarc(): Promise<{ path: string; urls: readonly string[] }> {
  const responses = Array.from({ length: 6_000 }, (_, i) => ({
    url: `http://large.example/${i}`,
    at: Date.UTC(2020, 0, 1) + i * 1000,
    body: `<title>${i}</title><p>${'text '.repeat(20)}<a href="/${i + 1}">next</a>`,
  }));
  const { path } = await writeSampleWarc(folder, 'large.warc.gz', responses);
  return { path, urls: responses.map(({ url }) => url) };
}

/** Until its records are being indexed. */
async function adopted(name: string): Promise<void> {
  while (!existsSync(join(archive, 'warc', name))) await wait(5);
}

const urlsOf = async (): Promise<ReadonlySet<string>> =>
  new Set((await capturesOf(archive)).map(({ url }) => url));

const missing = async (urls: readonly string[]): Promise<readonly string[]> => {
  const known = await urlsOf();
  return urls.filter((url) => !known.has(url));
};

it('mirrors --keep beside a crawl => the crawl looks and writes; a site that is none is refused there as here', async () => {
  const kept = await daguerre(['mirrors', '--keep', '--archive', archive, '--json']);
  expect(kept.code).toBe(0);
  expect(JSON.parse(kept.stdout)).toEqual({ mirrors: [], kept: 0 });
  const refused = await daguerre(['mirrors', '--confirm', 'other.example', '--archive', archive]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('other.example is not found to mirror another site');
  await release();
  expect((await crawl.ended).code).toBe(0);
});

it('import beside a crawl => the crawl brings it in and goes on; both end well', async () => {
  const { path } = await writeSampleWarc(folder, 'sample.warc.gz', SAMPLE);
  expect((await stat(join(archive, 'writer.sock'))).mode & 0o777).toBe(0o600);
  const [first, again] = await Promise.all([importing(path).ended, importing(path).ended]);
  for (const { code } of [first, again]) expect(code).toBe(0);
  const reports = [first, again].map(({ json }) => json<{ captures: number; already: number }>());
  expect(reports.map(({ captures }) => captures).toSorted()).toEqual([0, SAMPLE.length]);
  expect(reports.map(({ already }) => already).toSorted()).toEqual([0, 1]);
  await crawl.said(`Importing ${path}, asked for by process`);
  expect(crawl.child.exitCode).toBeNull();
  expect(await missing(SAMPLE.map(({ url }) => url))).toEqual([]);

  await release();
  const { code, json } = await crawl.ended;
  expect([code, json<{ captured: number }>().captured]).toEqual([0, PAGES + 2]);
  expect(existsSync(join(archive, 'writer.sock'))).toBe(false);
  expect(await complaints(archive)).toEqual([]);
  const crawled = Array.from({ length: PAGES }, (_, i) => `${site.url}/p${i + 1}`);
  expect(await missing([...SAMPLE.map(({ url }) => url), ...crawled, `${site.url}/last`])).toEqual([]);
});

it('an imported file that is named like a later one of the running crawl => verify expects an index of neither yet', async () => {
  const { path } = await writeSampleWarc(folder, 'main-1-29990101000000-00000.warc.gz', SAMPLE);
  expect((await importing(path).ended).code).toBe(0);
  const verified = await daguerre(['verify', '--archive', archive, '--json']);
  expect([verified.code, verified.json<{ errors: unknown[] }>().errors]).toEqual([0, []]);
  await release();
  expect((await crawl.ended).code).toBe(0);
  expect(await complaints(archive)).toEqual([]);
});

it('what cannot be imported, a pipe, another catalog => as without the crawl', async () => {
  const { path } = await writeSampleWarc(folder, 'sample.warc.gz', SAMPLE);
  const junk = join(folder, 'junk.warc');
  await writeFile(junk, 'no records at all');
  const refused = await importing(junk).ended;
  expect([refused.code, refused.json<{ errors: unknown[] }>().errors]).toEqual([
    6,
    [expect.objectContaining({ file: junk, reason: expect.stringMatching(/no record that can be read/) })],
  ]);
  const other = await daguerre([
    ...['import', path, '--archive', archive, '--database', 'postgres://127.0.0.1:1/none'],
  ]);
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringMatching(/another catalog than the one given/),
  ]);
  const fifo = join(folder, 'piped.warc.gz');
  const piped = await daguerre(['import', fifo, '--archive', archive, '--json'], {
    shellSetup: `mkfifo '${fifo}'; { cat '${path}' > '${fifo}' & }`,
  });
  expect([piped.code, piped.json<{ captures: number }>().captures]).toEqual([0, SAMPLE.length]);
});

it('the crawl is killed in the middle => the asker tells; run again, all is there', async () => {
  const { path, urls } = await largeWarc();
  const asker = importing(path);
  await adopted('large.warc.gz');
  crawl.child.kill('SIGKILL');
  const { code, stderr } = await asker.ended;
  expect([code, stderr]).toEqual([
    7,
    expect.stringMatching(/ended before it had done all.*run the same command/s),
  ]);
  // What the killed one left is in nobody's way.
  expect(existsSync(join(archive, 'writer.sock'))).toBe(true);
  expect((await importing(path).ended).code).toBe(0);
  expect(existsSync(join(archive, 'writer.sock'))).toBe(false);
  // Where it came from is written down, though the first import did not come so far.
  expect(await missing([...urls, 'urn:import:large.warc.gz'])).toEqual([]);
  expect(await complaints(archive)).toEqual([]);
});

it('the crawl is stopped in the middle => it ends, the asker tells; run again, all is there', async () => {
  const { path, urls } = await largeWarc();
  const asker = importing(path);
  await adopted('large.warc.gz');
  crawl.child.kill('SIGINT');
  expect((await crawl.ended).code).toBe(130);
  // Unless the file was brought in whole within the crawl's grace.
  expect([0, 7]).toContain((await asker.ended).code);
  expect((await importing(path).ended).code).toBe(0);
  expect(await missing(urls)).toEqual([]);
  expect(await complaints(archive)).toEqual([]);
});

it('the asker is killed in the middle => the file in hand is brought in, the next is not begun', async () => {
  const { path, urls } = await largeWarc();
  const { path: second } = await writeSampleWarc(folder, 'second.warc.gz', SAMPLE);
  const asker = importing(path, second);
  await adopted('large.warc.gz');
  asker.child.kill('SIGKILL');
  await asker.ended;
  await release();
  const { code, stderr } = await crawl.ended;
  expect([code, stderr]).toEqual([0, expect.stringMatching(/Finishing what other processes asked for/)]);
  expect(await missing(urls)).toEqual([]);
  expect(await readdir(join(archive, 'warc'))).not.toContain('second.warc.gz');
  expect(await complaints(archive)).toEqual([]);
});
