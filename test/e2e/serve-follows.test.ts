import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CrawlRow, ListPart, Problem, SiteRow } from '../../src/server/api-types.ts';
import { daguerre, FAST, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { page, type SmallSite, startSite } from './small-site.ts';

/** `serve` goes on while its catalog is deleted and rebuilt, or another archive is put in its place. */

let site: SmallSite;
let folder: string;
let archive: string;
let server: Running;
let ui: string;
let replay: string;

const crawl = (path: string, into: string) =>
  daguerre(['archive', `${site.url}${path}`, '--archive', into, ...FAST]);

beforeAll(async () => {
  folder = await temporaryFolder();
  archive = join(folder, 'archive');
  site = await startSite({ '/': page('One'), '/other/': page('Two'), '/third/': page('Three') });
  expect((await crawl('/', archive)).code).toBe(0);
  server = spawnDaguerre(['serve', '--archive', archive, '--json', '--port', '0', '--replay-port', '0']);
  const said = await server.said('"url"');
  const line = said.split('\n').find((one) => one.startsWith('{')) ?? '';
  ({ url: ui, replayUrl: replay } = JSON.parse(line) as { url: string; replayUrl: string });
});

afterAll(async () => {
  server?.child.kill('SIGTERM');
  await site?.close();
});

async function get<T>(path: string): Promise<T & Partial<Problem>> {
  return (await (await fetch(`${ui}/api/${path}`)).json()) as T & Partial<Problem>;
}
const pages = async (): Promise<number | undefined> => (await get<ListPart<SiteRow>>('sites')).rows[0]?.pages;
const shown = async (path: string): Promise<number> =>
  (await fetch(`${replay}/archive/2030id_/${site.url}${path}`)).status;

it('the catalog is deleted => said; rebuilt => what the new one holds', async () => {
  expect([await pages(), await shown('/'), await shown('/other/')]).toEqual([1, 200, 404]);
  for (const ending of ['', '-wal', '-shm'])
    await rm(join(archive, `catalog.sqlite${ending}`), { force: true });
  expect((await fetch(`${ui}/api/sites`)).status).toBe(503);
  expect((await get('sites')).detail).toMatch(/the catalog .* is gone: 'daguerre reindex' rebuilds it/);
  expect((await daguerre(['reindex', '--archive', archive])).code).toBe(0);
  expect((await crawl('/other/', archive)).code).toBe(0);
  expect([await pages(), await shown('/'), await shown('/other/')]).toEqual([2, 200, 200]);
});

it('another archive is moved into its place => that one, and the numbers of its crawls', async () => {
  expect((await get<ListPart<CrawlRow>>('crawls')).rows.map(({ spec }) => spec.seeds)).toHaveLength(2);
  const other = join(folder, 'other');
  expect((await crawl('/third/', other)).code).toBe(0);
  await rename(archive, join(folder, 'before'));
  await cp(other, archive, { recursive: true });
  expect([await pages(), await shown('/'), await shown('/third/')]).toEqual([1, 404, 200]);
  const [row] = (await get<ListPart<CrawlRow>>('crawls')).rows;
  expect([row?.spec.seeds, row?.tally.new]).toEqual([[`${site.url}/third/`], 1]);
});
