import { expect, test } from 'vitest';
import { labPorts } from '../../archive/crawl/lab-ports.ts';
import { SITE_ORDER_NAMES } from '../../science/policy/site-order.ts';
import { type CrawlInput, crawl, crawlInOrder } from './crawl.ts';
import { syntheticWeb, WEB } from './synthetic-web.ts';

const INPUT: CrawlInput = {
  web: { ...WEB, pages: 60, hottest: 2_000, hotPages: 'anywhere' },
  orders: SITE_ORDER_NAMES,
  settings: { revisit: 'none', delay: 10_000, workers: 8, rates: 'true', seed: 1 },
  history: 0,
  every: 86_400_000,
  ports: labPorts,
  realNow: () => 0,
  processorTime: () => 0,
};

async function run(input: CrawlInput) {
  const outcome = await crawl.run(input);
  if (outcome.kind !== 'measured') throw new Error(outcome.reason);
  return outcome;
}

test('every order => the crawler visits the pages of one site in the order of the pure simulation', async () => {
  const { rows, findings } = await run(INPUT);
  expect(rows.map(({ order, pages, sameSlot }) => [order, pages, sameSlot])).toEqual(
    SITE_ORDER_NAMES.map((order) => [order, 60, 1]),
  );
  expect(findings[0]).toMatchObject({ holds: 'holds' });
});

test('a second visit of all pages, after a first crawl => sharp pages are told as they are, in the planned order', async () => {
  const settings = { ...INPUT.settings, revisit: 'sharp' as const };
  // Without latency, slots are as long as the plan assumes.
  const web = { ...INPUT.web, latency: 0 };
  const { rows, findings } = await run({ ...INPUT, web, settings, history: 1 });
  for (const { sharpTold, sharpTrue, sameSlot } of rows) {
    expect(sharpTold).toBe(sharpTrue);
    expect(sharpTold).toBeLessThan(60);
    expect(sameSlot).toBe(1);
  }
  expect(findings[2]).toMatchObject({ holds: 'holds' });
});

test('sharc-offline, which knows all rates => less blur by the truth than breadth-first', async () => {
  const { rows } = await run({ ...INPUT, web: { ...INPUT.web, pages: 200 } });
  const blur = (name: string) => rows.find(({ order }) => order === name)?.blurTrue as number;
  expect(blur('sharc-offline')).toBeLessThan(blur('breadth-first'));
});

test('the same seed => the same captures to the bit; another => others', async () => {
  const input = {
    ...INPUT,
    web: { ...INPUT.web, sites: 5, pages: 40 },
    settings: { ...INPUT.settings, rates: 'learned' as const, revisit: 'blur' as const },
    history: 2,
  };
  const capture = async (seed: number): Promise<string> =>
    JSON.stringify(
      await crawlInOrder(syntheticWeb({ ...input.web, seed }), 'adaptive-organ-pipe', {
        ...input,
        settings: { ...input.settings, seed },
      }),
    );
  const first = await capture(1);
  expect(await capture(1)).toBe(first);
  expect(await capture(2)).not.toBe(first);
});

test('rates learned from earlier crawls => what is told is of the order of the truth', async () => {
  const { rows } = await run({
    ...INPUT,
    web: { ...INPUT.web, hottest: 50 },
    orders: ['adaptive-organ-pipe'],
    settings: { ...INPUT.settings, rates: 'learned', delay: 100_000 },
    history: 6,
    every: 7_200_000,
  });
  const [row] = rows;
  const ratio = (row?.blurTold as number) / (row?.blurTrue as number);
  expect(ratio).toBeGreaterThan(1 / 2);
  expect(ratio).toBeLessThan(2);
});
