/**
 * What learning patterns adds to a crawl: `npx tsx bench/learn.ts [--pages N] [--crawls N] [--json]`.
 *
 * A site whose pages change at rates from a seed (half of them never) is captured every eight hours; after each crawl
 * the stage of the live archive learns. The processor time of learning is compared with that of committing the same
 * captures to the same catalog, SQLite in a temporary folder.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { capture, digest, pageOf } from '../src/catalog/conformance/examples.conformance.ts';
import { openSqliteCatalog } from '../src/catalog/engines/sqlite.ts';
import { stream } from '../src/lab/newspaper/random.ts';
import { learnPatterns } from '../src/stages/learn-patterns.ts';
import { type BenchResult, median, print, round } from './figures.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '2000' },
    crawls: { type: 'string', default: '80' },
    json: { type: 'boolean', default: false },
  },
});
const PAGES = Number(values.pages);
const CRAWLS = Number(values.crawls);
const HOURS = 8;
const START = Date.UTC(2026, 2, 2);
const AT_ONCE = 500;
const SITE = 'example.org';

const random = stream(1, 'learn');
/** Changes per hour. */
const rates = Array.from({ length: PAGES }, () => (random.next() < 0.5 ? 0 : 10 ** (-3 + 3 * random.next())));
const versions = new Array<number>(PAGES).fill(0);

async function timed(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const folder = await mkdtemp(join(tmpdir(), 'daguerre-learn-'));
const catalog = await openSqliteCatalog(join(folder, 'catalog.sqlite'));

async function crawl(number: number): Promise<void> {
  const at = START + number * HOURS * 3_600_000;
  for (let from = 0; from < PAGES; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, PAGES - from) }, (_, i) => from + i);
    const url = (page: number): string => `https://${SITE}/p/${page}`;
    const payload = (page: number) => ({ digest: digest(`${page} ${versions[page]}`) });
    await catalog.index({
      captures: some.map((page) => capture(url(page), at + page, payload(page))),
      pages: some.map((page) => pageOf(url(page), at + page)),
      fileLengths: new Map(),
    });
  }
}

const committing: number[] = [];
const learning: number[] = [];
for (let number = 1; number <= CRAWLS; number++) {
  rates.forEach((rate, page) => {
    if (random.next() < -Math.expm1(-rate * HOURS)) versions[page] = (versions[page] ?? 0) + 1;
  });
  committing.push(await timed(() => crawl(number)));
  learning.push(await timed(() => learnPatterns([SITE], { catalog })));
}
await catalog.close();
await rm(folder, { recursive: true });

const [first = 0, ...later] = learning;
const result: BenchResult = {
  title: `Learning after each of ${CRAWLS} crawls of ${PAGES} pages, ms of processor time`,
  rows: [
    { what: 'after the first crawl', learning: round(first) },
    { what: 'after another, median', learning: round(median(later)) },
    { what: 'after another, most (kinds are chosen)', learning: round(Math.max(...later)) },
    { what: 'committing one crawl, median', learning: round(median(committing)) },
  ],
  ratios: [
    {
      what: 'learning ÷ committing the same captures, median',
      value: median(later) / median(committing),
    },
    {
      what: 'growth of learning: last quarter ÷ first quarter of the crawls, medians',
      value: median(later.slice(-later.length / 4)) / median(later.slice(0, later.length / 4)),
    },
  ],
  notes: ['Captures here are of pages alone, without links: a crawl commits more of each.'],
};
print(result, values.json);
