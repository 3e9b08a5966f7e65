import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/postgres.ts';
import type { NewWorker } from '../../model/worker.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { all, batch, capture, entry, SPEC } from '../conformance/examples.conformance.ts';
import {
  cashIn,
  importancesOf,
  ledger,
  reading,
  url,
} from '../conformance/importance-examples.conformance.ts';
import { openPostgresCatalog } from './postgres.ts';

let server: TestPostgres;
let schema: string;
let schemas = 0;
const opened: Catalog[] = [];
const WORKER: NewWorker = { machine: 'a.example', process: 42, version: '0.1.0', roles: ['capture'] };

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

beforeEach(async () => {
  schema = `daguerre_shared_${process.pid}_${++schemas}`;
  const first = await open('alone');
  await first.claim({
    id: 'k7mq-2xrt-9hbd',
    name: 'a',
    opening: 'one',
    folder: '/a',
    host: 'h',
    openedAt: 1,
  });
  await first.close();
});
afterEach(async () => {
  for (const catalog of opened.splice(0)) await catalog.close();
  await query(`drop schema if exists ${schema} cascade`);
});

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
}

async function open(kind: 'alone' | 'shared'): Promise<Catalog> {
  const patience = { wait: 60_000, tell: () => {} };
  const catalog = await openPostgresCatalog(server.url, {
    ...{ schema, patience, ledger },
    access: { kind, patience: 0 },
  });
  opened.push(catalog);
  return catalog;
}

async function worker(): Promise<{ readonly catalog: Catalog; readonly id: number }> {
  const catalog = await open('shared');
  return { catalog, id: await catalog.joinWorkers(WORKER) };
}

const urls = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => entry(`https://example.org/${from + i}`));

describe('a catalog that several processes write', { timeout: 120_000 }, () => {
  it('four open a crawl of one key at once => one makes it, the others have the same', async () => {
    const workers = await Promise.all(Array.from({ length: 4 }, worker));
    const crawls = await Promise.all(workers.map(({ catalog }, at) => catalog.openCrawl('key', SPEC, at)));
    expect(crawls.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(crawls.map(({ crawl }) => crawl.id)).size).toBe(1);
  });

  it('one who may only read wants it alone, beside workers => told so, and not to stop them', async () => {
    await worker();
    const role = `reader_${schema}`;
    await query(`create role ${role} login password 'test'; grant usage on schema ${schema} to ${role};
      grant select on all tables in schema ${schema} to ${role}`);
    try {
      const url = new URL(server.url);
      url.username = role;
      url.password = 'test';
      for (const kind of ['alone', 'shared'] as const) {
        const access = { kind, patience: 0 };
        await expect(openPostgresCatalog(url.href, { schema, ledger, access })).rejects.toMatchObject({
          kind: 'read-only',
        });
      }
      const reader = await openPostgresCatalog(url.href, { schema, readonly: true });
      expect(await reader.mayWrite()).toBe(false);
      await reader.close();
    } finally {
      await query(`drop owned by ${role}; drop role ${role}`);
    }
  });

  it('workers share it => nobody has it alone meanwhile, and the other way round', async () => {
    const one = await open('shared');
    const two = await open('shared');
    await expect(open('alone')).rejects.toThrow('workers write to this archive');
    await one.close();
    await expect(open('alone')).rejects.toMatchObject({ kind: 'busy' });
    await two.close();
    await open('alone');
    await expect(open('shared')).rejects.toMatchObject({ kind: 'busy' });
  });

  it('a process hangs in a commit while another has ten to make => its sign of life comes through, and the hanging one is ended', async () => {
    const [one, other] = [await worker(), await worker()];
    const hanging = new pg.Client({ connectionString: server.url });
    const order: string[] = [];
    hanging.on('error', () => {});
    hanging.on('end', () => order.push('the hanging one was ended'));
    await hanging.connect();
    await hanging.query("set idle_in_transaction_session_timeout = '4s'");
    await hanging.query(`begin; select pg_advisory_xact_lock(hashtextextended('${schema}', 1145128791))`);
    const commits = Array.from({ length: 10 }, () => one.catalog.joinWorkers(WORKER));
    const committed = Promise.all(commits).then(() => order.push('commits'));
    // As many connections as a catalog has would be waiting by now.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await Promise.all(
      [one, other].map(({ catalog, id }) => catalog.giveSign(id, { doing: [], settled: 0, rate: 0 })),
    );
    order.push('signs of life');
    await committed;
    expect(order).toEqual(['signs of life', 'the hanging one was ended', 'commits']);
    await hanging.end().catch(() => {});
  });

  it('a catalog that is not there, or of an earlier Daguerre => a worker makes no tables', async () => {
    await query(`update ${schema}.schema_version set version = 20`);
    await expect(open('shared')).rejects.toMatchObject({ kind: 'older-schema' });
    await query(`drop schema ${schema} cascade`);
    await expect(open('shared')).rejects.toMatchObject({ kind: 'absent' });
    expect(await query(`select 1 from pg_namespace where nspname = '${schema}'`)).toEqual([]);
  });

  it('five workers commit the same URLs to crawls of their own at once => every URL has one id, every crawl its entries', async () => {
    const workers = await Promise.all(Array.from({ length: 5 }, worker));
    const crawls = await Promise.all(
      workers.map(({ catalog }, i) => catalog.createCrawl(`key ${i}`, SPEC, i)),
    );
    await Promise.all(
      workers.map(async ({ catalog }, i) => {
        const crawlId = crawls[i]?.id ?? 0;
        for (let round = 0; round < 10; round++) {
          const found = urls(round * 20, 40);
          const discovered = i % 2 === 0 ? found : found.toReversed();
          const fact = capture(`https://example.org/${round}`, 1000 + 10 * round + i);
          const captures = [{ ...fact, recordId: `<urn:uuid:${i}-${round}>`, file: `${i}.warc.gz` }];
          await catalog.commit(batch(crawlId, { discovered, captures }));
        }
      }),
    );
    expect(
      await query(`select count(*)::int as urls from ${schema}.urls where url like '%/example.org/%'`),
    ).toEqual([{ urls: 220 }]);
    for (const [i, { catalog }] of workers.entries())
      expect(await catalog.tally(crawls[i]?.id ?? 0)).toMatchObject({ pending: 220 });
    const [reader] = workers;
    expect(await all((reader as { catalog: Catalog }).catalog.captures({}))).toHaveLength(50);
  });

  it('five workers read pages at once, and their crawls end => one book of importance, in which no cash is lost; settling releases', async () => {
    const workers = await Promise.all(Array.from({ length: 5 }, worker));
    await Promise.all(
      workers.map(async ({ catalog }, i) => {
        const { id } = await catalog.createCrawl(`key ${i}`, SPEC, i);
        for (let round = 0; round < 10; round++) {
          const page = 1 + 10 * i + round;
          const links = [url(100 + page), url(1), url(2)];
          await catalog.commit(batch(id, { visits: [reading(url(page), page, links)] }));
        }
        await catalog.setCrawlState(id, 'finished', 100);
      }),
    );
    const { catalog } = workers[0] as { readonly catalog: Catalog };
    expect(await catalog.bookFigures()).toMatchObject({ pages: 100, read: 50, visits: 50 });
    expect(await cashIn(catalog)).toBeCloseTo(1, 10);
    /** Every page links to the first, and none to the third. */
    const front = async (): Promise<number> => {
      const found = await importancesOf(catalog, [url(1), url(3)]);
      return (found.get(url(1))?.importance ?? 0) / (found.get(url(3))?.importance ?? 1);
    };
    expect(await front()).toBeGreaterThan(2);
    const { unreadCash } = await catalog.bookFigures();
    expect(await catalog.settleNews()).toBe(true);
    expect((await catalog.bookFigures()).unreadCash).toBeLessThan(unreadCash);
    expect(await cashIn(catalog)).toBeCloseTo(1, 10);
    expect(await front()).toBeGreaterThan(2);
  });

  it('a worker is dismissed => its commit is refused, and others go on', async () => {
    const [late, other] = [await worker(), await worker()];
    const { id: crawlId } = await late.catalog.createCrawl('key', SPEC, 1);
    await late.catalog.commit(batch(crawlId, { discovered: urls(0, 5) }));
    await other.catalog.dismissWorkers([late.id]);
    const commit = late.catalog.commit(batch(crawlId, { discovered: urls(5, 5) }));
    await expect(commit).rejects.toMatchObject({ kind: 'dismissed' });
    expect(await late.catalog.giveSign(late.id, { doing: [], settled: 0, rate: 0 })).toBe(false);
    await other.catalog.commit(batch(crawlId, { discovered: urls(10, 5) }));
    expect(await other.catalog.tally(crawlId)).toMatchObject({ pending: 10 });
  });

  it('a worker hangs in the middle of a commit => who dismisses it ends that, and nothing of it is there', async () => {
    const [hanging, other] = [await worker(), await worker()];
    const { id: crawlId } = await other.catalog.createCrawl('key', SPEC, 1);
    const [fact] = (await other.catalog.workers()).filter(({ id }) => id === hanging.id);
    // A connection by its name, stopped where a process would be: it holds the turn of commits and its own row.
    const client = new pg.Client({ connectionString: server.url, application_name: fact?.connection });
    client.on('error', () => {});
    await client.connect();
    await client.query(`begin; set local search_path = ${schema};
      select pg_advisory_xact_lock(hashtextextended('${schema}', 1145128791));
      select id from workers where id = ${hanging.id} for key share; insert into hosts (key, host) values ('x', 'x')`);
    const commit = other.catalog.commit(batch(crawlId, { discovered: urls(0, 5) }));
    // A sign of life waits for no commit.
    expect(await other.catalog.giveSign(other.id, { doing: [], settled: 0, rate: 0 })).toBe(true);
    await other.catalog.dismissWorkers([hanging.id]);
    await commit;
    expect(await other.catalog.tally(crawlId)).toMatchObject({ pending: 5 });
    expect(await query(`select 1 from ${schema}.hosts where key = 'x'`)).toEqual([]);
    await client.end().catch(() => {});
  });

  it('somebody has had the archive alone since => a worker that slept through it commits nothing', async () => {
    const { catalog } = await worker();
    const { id: crawlId } = await catalog.createCrawl('key', SPEC, 1);
    // Its lock went with its connections: here the row alone tells.
    await query(`update ${schema}.owner set opening = 'two'`);
    const commit = catalog.commit(batch(crawlId, { discovered: urls(0, 5) }));
    await expect(commit).rejects.toMatchObject({ kind: 'busy' });
  });

  it('its connections are cut => it joins again by itself and goes on', async () => {
    const { catalog, id } = await worker();
    const { id: crawlId } = await catalog.createCrawl('key', SPEC, 1);
    const [fact] = await catalog.workers();
    await query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${fact?.connection}'`,
    );
    await catalog.commit(batch(crawlId, { discovered: urls(0, 5) }));
    expect(await catalog.tally(crawlId)).toMatchObject({ pending: 5 });
    expect((await catalog.workers()).map((one) => one.id)).toEqual([id]);
    await expect(open('alone')).rejects.toMatchObject({ kind: 'busy' });
  });
});
