import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FickleNetwork, fickleNetwork } from '../../../test/fickle-network.ts';
import { type OwnPostgres, startOwnPostgres } from '../../../test/postgres.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { batch, crawlWith, entry } from '../conformance/examples.conformance.ts';
import { openPostgresCatalog, type PostgresOptions } from './postgres.ts';

let server: OwnPostgres;
let network: FickleNetwork;
let schema: string;
let schemas = 0;
let told: string[];
let opened: Catalog[];

beforeAll(async () => {
  server = await startOwnPostgres();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  network = await fickleNetwork(Number(new URL(server.url).port));
  schema = `outage_${++schemas}`;
  told = [];
  opened = [];
});
afterEach(async () => {
  for (const catalog of opened) await catalog.close();
  await network.close();
});

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<Record<string, unknown>>(text);
  await client.end();
  return rows;
}

async function open(
  options: Partial<PostgresOptions> & { readonly wait?: number; readonly isAlone?: boolean } = {},
): Promise<Catalog> {
  const url = new URL(server.url);
  url.port = String(network.port);
  const { wait = 60_000, isAlone = true, ...rest } = options;
  const access = isAlone ? { access: { kind: 'alone' as const } } : {};
  const patience = { wait, tell: (sentence: string) => told.push(sentence) };
  const catalog = await openPostgresCatalog(url.href, { schema, ...access, patience, ...rest });
  opened.push(catalog);
  return catalog;
}

const urls = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => entry(`https://example.org/${from + i}`));

const claimed = async (catalog: Catalog, opening = 'one'): Promise<void> =>
  catalog.claim({ id: 'k7mq-2xrt-9hbd', name: 'a', opening, folder: '/a', host: 'h', openedAt: 1 });

describe('a server that goes away', { timeout: 120_000 }, () => {
  it('and comes back => commits and reads wait for it, and it is told', async () => {
    const catalog = await open();
    const { crawlId } = await crawlWith(catalog, []);
    await server.halt();
    const commit = catalog.commit(batch(crawlId, { discovered: urls(0, 10) }));
    const read = catalog.crawls();
    await expect.poll(() => told.length, { timeout: 30_000 }).toBeGreaterThan(0);
    await server.start();
    expect((await commit).enqueued).toHaveLength(10);
    expect(await read).toHaveLength(1);
    expect(told).toEqual([
      expect.stringMatching(/^catalog postgres:.*Waiting for it, up to \d+ s\.$/),
      expect.stringMatching(/^The database is back after \d+ s: going on\.$/),
    ]);
    expect(await catalog.tally(crawlId)).toMatchObject({ pending: 10 });
  });

  it('while more ask than there are connections => those who wait for one are answered as well', async () => {
    const catalog = await open();
    await crawlWith(catalog, []);
    const other = new pg.Client({ connectionString: server.url });
    await other.connect();
    try {
      await other.query('begin');
      await other.query(`lock table ${schema}.crawls in access exclusive mode`);
      const reads = Array.from({ length: 12 }, () => catalog.crawls());
      const stuck = `from pg_stat_activity where wait_event_type = 'Lock' and query like '%crawls%'`;
      await expect.poll(async () => (await query(`select pid ${stuck}`)).length, { timeout: 30_000 }).toBe(4);
      await query(`select pg_terminate_backend(pid) ${stuck}`);
      await other.query('rollback');
      for (const read of reads) expect(await read).toHaveLength(1);
    } finally {
      await other.end();
    }
  });

  it('for good => unreachable, from then on at once, with what to do', async () => {
    const catalog = await open({ wait: 500 });
    const { crawlId } = await crawlWith(catalog, []);
    await server.halt();
    try {
      const commit = catalog.commit(batch(crawlId, { discovered: urls(0, 1) }));
      await expect(commit).rejects.toMatchObject({ kind: 'unreachable' });
      await expect(catalog.crawls()).rejects.toThrow(/gave up after .* run the same command to go on/);
    } finally {
      await server.start();
    }
  });

  it('for a reader => an error, and its next question is answered when the server is back', async () => {
    await (await open()).close();
    opened = [];
    const reader = await open({ wait: 0, isAlone: false, readonly: true });
    await server.halt();
    await expect(reader.crawls()).rejects.toMatchObject({ kind: 'unreachable' });
    await server.start();
    expect(await reader.crawls()).toEqual([]);
  });
});

describe('a connection that is lost', { timeout: 120_000 }, () => {
  it('killed at any moment of many commits => every URL is enqueued once, and reported once', async () => {
    const catalog = await open();
    await claimed(catalog);
    const { crawlId } = await crawlWith(catalog, []);
    let isDone = false;
    let kills = 0;
    const killer = (async () => {
      while (!isDone) {
        const killed = await query(`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like 'daguerre %' and random() < 0.5`);
        kills += killed.length;
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    })();
    const reported: string[] = [];
    let batches = 0;
    // A quick machine is through before much was killed.
    for (; batches < 60 || kills <= 10; batches++) {
      // Overlapping: half of each batch was in the one before.
      const { enqueued } = await catalog.commit(batch(crawlId, { discovered: urls(batches * 10, 20) }));
      reported.push(...enqueued.map(({ url }) => url));
      await catalog.hostCounts(crawlId);
    }
    isDone = true;
    await killer;
    const all = batches * 10 + 10;
    expect(reported).toHaveLength(all);
    expect(new Set(reported).size).toBe(all);
    expect(await catalog.tally(crawlId)).toMatchObject({ pending: all });
  });

  it('killed at any moment of what a worker says outside transactions => said again, whatever it is', async () => {
    const catalog = await open();
    await claimed(catalog);
    const worker = await catalog.joinWorkers({ machine: 'm', process: 1, version: '1', roles: ['capture'] });
    let isDone = false;
    let kills = 0;
    const killer = (async () => {
      while (!isDone) {
        const killed = await query(`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like 'daguerre %' and random() < 0.5`);
        kills += killed.length;
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    })();
    // A quick machine is through before much was killed.
    for (let number = 0; number < 60 || kills <= 10; number++) {
      expect(await catalog.giveSign(worker, { doing: [], settled: 0, rate: 0 })).toBe(true);
      expect(await catalog.leaseHosts(worker, [`h${number}`])).toHaveLength(1);
      await catalog.notePauses(worker, [{ host: `h${number}`, pause: 10 }]);
      await catalog.returnHosts(worker, [{ host: `h${number}`, pause: 0 }]);
      await catalog.sites();
    }
    isDone = true;
    await killer;
  });

  it('after the commit, before its answer => done once, and its result is known', async () => {
    const catalog = await open();
    const { crawlId } = await crawlWith(catalog, []);
    network.cutAfter('commit');
    expect((await catalog.commit(batch(crawlId, { discovered: urls(0, 7) }))).enqueued).toHaveLength(7);
    network.cutAfter('commit');
    const crawl = await catalog.createCrawl('other', (await catalog.crawls())[0]?.spec as never, 5);
    expect((await catalog.crawls()).map(({ id }) => id)).toEqual([crawlId, crawl.id]);
    expect(await catalog.tally(crawlId)).toMatchObject({ pending: 7 });
  });

  it("under way in a crash, its number then given to another's => done again", async () => {
    // Else the server may have written down that the number was given.
    const forgetful = await startOwnPostgres(['wal_writer_delay=10s']);
    const way = await fickleNetwork(Number(new URL(forgetful.url).port));
    const asked = async (text: string): Promise<Record<string, unknown>[]> => {
      const client = new pg.Client({ connectionString: forgetful.url });
      client.on('error', () => {});
      await client.connect();
      return (await client.query<Record<string, unknown>>(text).finally(() => client.end())).rows;
    };
    try {
      const url = new URL(forgetful.url);
      url.port = String(way.port);
      const patience = { wait: 60_000, tell: () => {} };
      const access = { kind: 'alone' as const };
      const catalog = await openPostgresCatalog(url.href, { schema, access, patience, probeEvery: 200 });
      opened.push(catalog);
      await claimed(catalog);
      const { crawlId } = await crawlWith(catalog, []);
      let reused = 0;
      let pending = 0;
      for (let attempt = 0; attempt < 5 && reused === 0; attempt++) {
        way.swallowAt('commit');
        const commit = catalog.commit(batch(crawlId, { discovered: urls(pending, 7) }));
        let held: Record<string, unknown> | undefined;
        await expect
          .poll(
            async () => {
              [held] = await asked(
                `select pid, backend_xid::text as xid from pg_stat_activity
                 where state = 'idle in transaction' and backend_xid is not null`,
              );
              return held;
            },
            { interval: 10, timeout: 30_000 },
          )
          .toBeDefined();
        process.kill(Number(held?.pid), 'SIGKILL');
        const xid = Number(held?.xid);
        for (let given = 0; given < xid; ) {
          given = await asked('select txid_current() as xid').then(
            ([row]) => Number(row?.xid),
            () => 0,
          );
          if (given === xid) reused++;
        }
        way.heal();
        expect((await commit).enqueued).toHaveLength(7);
        pending += 7;
        expect(await catalog.tally(crawlId)).toMatchObject({ pending });
      }
      expect(reused).toBe(1);
      await catalog.close();
      opened.pop();
    } finally {
      await way.close();
      await forgetful.stop();
    }
  });

  it.each([true, false])(
    'swallowed by the network (new ones pass: %s) => noticed, and gone on with',
    async (letsNew) => {
      const catalog = await open({ probeEvery: 200 });
      await claimed(catalog);
      const { crawlId } = await crawlWith(catalog, []);
      network.swallow({ letsNew });
      const commit = catalog.commit(batch(crawlId, { discovered: urls(0, 3) }));
      if (!letsNew) {
        await expect.poll(() => told.length, { timeout: 60_000 }).toBeGreaterThan(0);
        network.heal();
      }
      expect((await commit).enqueued).toHaveLength(3);
    },
  );
});

describe('one writer per archive', () => {
  it('a second one => busy, and says who writes; other archives and readers are not kept waiting', async () => {
    const catalog = await open();
    await expect(open()).rejects.toMatchObject({ kind: 'busy' });
    await expect(open()).rejects.toThrow(/writes to this archive's catalog \(server process \d+, 'daguerre/);
    await open({ schema: `${schema}_other` });
    await open({ isAlone: false, readonly: true });
    await catalog.close();
    opened.splice(0, 1);
    await open();
  }, 60_000);

  it('opened by another meanwhile => the first commits nothing more', async () => {
    const first = await open();
    await claimed(first);
    const { crawlId } = await crawlWith(first, []);
    const second = await open({ isAlone: false });
    await claimed(second, 'two');
    const commit = first.commit(batch(crawlId, { discovered: urls(0, 1) }));
    await expect(commit).rejects.toMatchObject({ kind: 'busy' });
    expect(await second.tally(crawlId)).toMatchObject({ pending: 0 });
  });
});
