import { describe, expect, test } from 'vitest';
import { labPorts } from '../../archive/crawl/lab-ports.ts';
import { frontierModel } from '../../catalog/conformance/frontier-model.conformance.ts';
import { openCatalog } from '../../catalog/open.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { crawlWeb } from './crawl-web.ts';
import { memoryCatalog } from './memory-catalog.ts';
import { memoryRecords } from './memory-records.ts';
import { syntheticWeb, WEB } from './synthetic-web.ts';
import { virtualClock } from './virtual-clock.ts';
import { webFetcher } from './web-fetcher.ts';

describe('frontier model in memory', () => {
  frontierModel(async () => {
    const catalog = memoryCatalog();
    return { open: async () => catalog, remove: async () => {} };
  }, 100);
});

/** Three crawls of two sites, each learning from the earlier ones. */
async function threeCrawls(catalog: Catalog) {
  const web = syntheticWeb({ ...WEB, sites: 2, pages: 50, hottest: 500, hotPages: 'anywhere' });
  const clock = virtualClock(WEB.start);
  let count = 0;
  const newId = () => `00000000-0000-4000-8000-${String(count++).padStart(12, '0')}`;
  const ports = {
    ...labPorts,
    catalog,
    ...memoryRecords(newId),
    clock,
    newId,
    fetcher: webFetcher(web, clock),
  };
  const outcomes = [];
  for (const [order, revisit] of [
    ['breadth-first', 'none'],
    ['adaptive-organ-pipe', 'blur'],
    ['adaptive-organ-pipe', 'sharp'],
  ] as const) {
    const settings = { order, revisit, delay: 5_000, workers: 4, rates: 'learned', seed: 1 } as const;
    const { state, capture, tally } = await crawlWeb(web, settings, ports);
    const { captured, unchanged, redirects, failed, pending, resources, revisits, skipped, bytes } = tally;
    const counts = { captured, unchanged, redirects, failed, pending, resources, revisits, skipped, bytes };
    outcomes.push({ state, capture, counts });
    await clock.sleep(7_200_000);
  }
  const log = [];
  for await (const entry of catalog.frontierLog(3)) log.push(entry);
  return { outcomes, log };
}

test('three crawls that learn from each other => the same captures, counts and log as with SQLite', async () => {
  const onDisk = await openCatalog(':memory:');
  try {
    const expected = await threeCrawls(onDisk);
    const found = await threeCrawls(memoryCatalog());
    expect(expected.outcomes[2]?.capture.pages).toHaveLength(100);
    expect(found.outcomes).toEqual(expected.outcomes);
    expect(found.log).toEqual(expected.log);
  } finally {
    await onDisk.close();
  }
});

test('what it does not hold => refused by name', () => {
  expect(() => memoryCatalog().sites()).toThrow('the catalog in memory cannot tell sites');
});
