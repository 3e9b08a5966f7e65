import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { capture, pageOf } from '../../catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../../catalog/engines/sqlite.ts';
import type { Catalog, SeenRedirect } from '../../ports/catalog.ts';
import { pageRank } from '../../science/importance/page-rank.ts';
import { linkedFromOutside, pagesOfSites, readLinkedWeb } from './linked-web.ts';
import { sitesOverview } from './site-overview.ts';

const NOW = 1_000_000;
const [A, OLD, NEW, FAR] = [
  'https://a.example',
  'https://old.example',
  'https://new.example',
  'https://far.example',
];

let folder: string;
let catalog: Catalog;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daguerre-test-'));
  catalog = await openSqliteCatalog(join(folder, 'catalog.sqlite'));
});
afterEach(() => catalog.close());

/** Pages with their links, read in this order. */
async function read(
  links: Readonly<Record<string, readonly string[]>>,
  { at = 1, redirects = [] }: { readonly at?: number; readonly redirects?: readonly SeenRedirect[] } = {},
): Promise<void> {
  const pages = Object.entries(links).map(([url, to], i) => pageOf(url, at + i, { links: to }));
  const captures = pages.map((page) => capture(page.url, page.at));
  await catalog.index({ captures, pages, redirects, fileLengths: new Map() });
}

async function standing(site: string) {
  const { archived, fresh } = await sitesOverview(catalog, NOW);
  return [...archived, ...fresh].find((one) => one.site === site);
}

describe('the links of the archive, by site', () => {
  test('two sites alike, read one after the other => as important as each other, whatever came first', async () => {
    const alike = (own: string, other: string) => ({
      [`${own}/`]: [`${own}/1`, `${own}/2`, `${other}/`],
      [`${own}/1`]: [`${own}/`],
      [`${own}/2`]: [`${own}/`],
    });
    await read(alike(A, NEW));
    await read(alike(NEW, A), { at: 100 });
    const web = await readLinkedWeb(catalog);
    expect(web.importance).toEqual(pageRank(web.graph));
    expect((await standing('a.example'))?.importance).toBeCloseTo(0.5, 9);
    expect((await standing('new.example'))?.importance).toBeCloseTo(0.5, 9);
  });

  test('pages that other sites link to => counted once each; pages of a site in order', async () => {
    await read({
      [`${A}/`]: [`${FAR}/1`, `${FAR}/2`],
      [`${NEW}/`]: [`${FAR}/1`],
      [`${FAR}/1`]: [`${FAR}/3`],
    });
    const web = await readLinkedWeb(catalog);
    const far = web.names.indexOf('far.example');
    expect(linkedFromOutside(web)[far]).toBe(2);
    expect((await web.urlsOf([...pagesOfSites(web)(far)])).toSorted()).toEqual(
      ['1', '2', '3'].map((n) => `${FAR}/${n}`),
    );
  });
});

describe('a site that has moved', () => {
  const linking = { [`${A}/`]: [`${OLD}/`, `${OLD}/x`], [`${NEW}/`]: [], [`${NEW}/x`]: [] };
  const moved = (at: number): readonly SeenRedirect[] =>
    ['/', '/x'].map((path) => ({ url: OLD + path, to: NEW + path, at }));

  test('known by links alone => no new site to read; what links to it counts where it moved to', async () => {
    await read(linking);
    const before = await standing('new.example');
    expect(await standing('old.example')).toMatchObject({ known: 2 });
    await catalog.index({ captures: [], pages: [], redirects: moved(10), fileLengths: new Map() });
    expect(await standing('old.example')).toBeUndefined();
    expect((await standing('new.example'))?.importance).toBeGreaterThan(2 * (before?.importance ?? 1));
  });

  test('archived before it moved => still among the sites, with its pages and without importance', async () => {
    await read({ ...linking, [`${OLD}/`]: [`${OLD}/x`], [`${OLD}/x`]: [] });
    expect((await standing('old.example'))?.importance).toBeGreaterThan(0.2);
    await catalog.index({ captures: [], pages: [], redirects: moved(10), fileLengths: new Map() });
    expect(await standing('old.example')).toMatchObject({ pages: 2, known: 0, importance: 0, changeRate: 0 });
    expect((await standing('new.example'))?.importance).toBeGreaterThan(0.5);
  });

  test('one page of it moved, one stays => it counts by the page that stays', async () => {
    await read({ ...linking, [`${OLD}/`]: [`${OLD}/x`], [`${OLD}/x`]: [] });
    const before = (await standing('old.example'))?.importance ?? 0;
    await catalog.index({
      captures: [],
      pages: [],
      redirects: moved(10).slice(0, 1),
      fileLengths: new Map(),
    });
    const now = await standing('old.example');
    expect(now?.importance).toBeGreaterThan(0);
    expect(now?.importance).toBeLessThan(before);
    expect(now?.known).toBe(1);
  });

  test('it shows pages again => a site as before', async () => {
    await read({ ...linking, [`${OLD}/`]: [`${OLD}/x`], [`${OLD}/x`]: [] });
    await catalog.index({ captures: [], pages: [], redirects: moved(10), fileLengths: new Map() });
    const again = { [`${OLD}/`]: [`${OLD}/x`], [`${OLD}/x`]: [], [`${A}/`]: linking[`${A}/`] ?? [] };
    await read(again, { at: 20 });
    expect((await standing('old.example'))?.importance).toBeGreaterThan(0);
    expect((await standing('old.example'))?.known).toBe(2);
  });
});
