import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createScope } from '../../capture/scope.ts';
import { SPEC } from '../../catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../../catalog/engines/sqlite.ts';
import type { CrawlSpec } from '../../model/crawl.ts';
import { SPEC_VERSION } from '../../model/spec-version.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { crawlKey, findCrawl, inTheOrderItBegan } from './find-crawl.ts';

const TODAY: CrawlSpec = { ...SPEC, version: SPEC_VERSION };
const BY_DEFAULT: CrawlSpec = { ...TODAY, order: 'adaptive-organ-pipe' };
const BY_PAPER: CrawlSpec = { ...TODAY, order: 'sharc-online' };
/** As stored, and the key it had, when `sharc-online` was still the name of the default order. */
const BEFORE: CrawlSpec = { ...SPEC, order: 'sharc-online' };
const KEY_BEFORE = '34f3e8ad7d0e0682e3d3af8c795bf69c';

describe('an unfinished crawl whose spec says sharc-online, from before that was the rule of the paper', () => {
  let folder: string;
  let catalog: Catalog;
  let begun: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
    catalog = await openSqliteCatalog(join(folder, 'catalog.sqlite'));
    begun = (await catalog.createCrawl(KEY_BEFORE, BEFORE, 1000)).id;
  });
  afterEach(async () => {
    await catalog.close();
    await rm(folder, { recursive: true });
  });

  const found = async (spec: CrawlSpec) => {
    const settled = await inTheOrderItBegan(catalog, spec);
    const scope = createScope(settled);
    const { crawl, resumed } = await findCrawl(catalog, settled, { now: () => 2000 } as never, scope, {
      restart: false,
    });
    return { id: crawl.id, order: crawl.spec.order, resumed };
  };

  test('is read as adaptive-organ-pipe', async () => {
    expect((await catalog.crawls()).map(({ spec }) => spec.order)).toEqual(['adaptive-organ-pipe']);
  });

  test.each([
    ['no --order', BY_DEFAULT],
    ['--order sharc-online', BY_PAPER],
  ])('the same command with %s => resumed in the order it began with', async (_, spec) => {
    expect(await found(spec)).toEqual({ id: begun, order: 'adaptive-organ-pipe', resumed: true });
  });

  test('resumed once, then with --order sharc-online => still not by the rule of the paper', async () => {
    await found(BY_DEFAULT);
    expect(await found(BY_PAPER)).toMatchObject({ id: begun, order: 'adaptive-organ-pipe' });
  });

  test('another order => a crawl of its own', async () => {
    expect(await found({ ...TODAY, order: 'breadth-first' })).toMatchObject({ resumed: false });
  });
});

test('crawls begun today by default and by the rule of the paper => two keys', async () => {
  expect(crawlKey(BY_DEFAULT)).toBe(KEY_BEFORE);
  expect(crawlKey(BY_PAPER)).not.toBe(KEY_BEFORE);
});
