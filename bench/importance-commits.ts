/** Commits of a catalog with and without on-line importance, in turns: processor time of each, in µs per page. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  batch,
  capture,
  entry,
  pageOf,
  SPEC,
  visited,
  visitOf,
} from '../src/catalog/conformance/examples.conformance.ts';
import { openCatalog } from '../src/catalog/open.ts';
import { CashBook } from '../src/science/importance/cash-book.ts';
import { linksOf, pagePath } from './sites/made-up.ts';

/** As many as a crawl of such pages gathers per commit. */
const VISITS_PER_COMMIT = 30;
const LINKS = 30;

export async function commitTimes(
  pages: number,
  rounds: number,
): Promise<{ readonly on: readonly number[]; readonly off: readonly number[] }> {
  const times = { on: [] as number[], off: [] as number[] };
  // The first round warms up the compiler.
  for (let turn = 0; turn <= rounds; turn++) {
    for (const kind of ['on', 'off'] as const) {
      const taken = await commits(pages, kind === 'on');
      if (turn > 0) times[kind].push(taken);
    }
  }
  return times;
}

async function commits(pages: number, importance: boolean): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-bench-'));
  const ledger = { open: (stored: object) => new CashBook(stored) };
  const catalog = await openCatalog(join(folder, 'catalog.sqlite'), importance ? { ledger } : {});
  const url = (page: number): string => `http://127.0.0.1:8080${pagePath(page)}`;
  try {
    const { id } = await catalog.createCrawl('bench', SPEC, 1);
    let taken = 0;
    for (let from = 0; from < pages; from += VISITS_PER_COMMIT) {
      const visits = Array.from({ length: Math.min(VISITS_PER_COMMIT, pages - from) }, (_, k) => {
        const [from_, at] = [url(from + k), (from + k) * 10];
        const links = linksOf(from + k, pages, LINKS).map(url);
        return visited(0, visitOf(from_, { at }), {
          page: pageOf(from_, at, { links }),
          captures: [capture(from_, at)],
          discovered: links.map((link) => entry(link)),
        });
      });
      const before = process.cpuUsage();
      await catalog.commit(batch(id, { visits }));
      const { user, system } = process.cpuUsage(before);
      taken += user + system;
    }
    return taken / pages;
  } finally {
    await catalog.close();
    await rm(folder, { recursive: true, force: true });
  }
}
