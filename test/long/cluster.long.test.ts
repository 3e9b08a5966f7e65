import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, DELAY, noCluster, openCluster, openSites, pagesOf } from '../cluster-rig.ts';
import { daguerre, killAllDaguerres, spawnDaguerre } from '../daguerre-process.ts';
import { temporaryFolder } from '../e2e/daguerre.ts';
import { fickleNetwork } from '../fickle-network.ts';
import type { PoliteSite } from '../polite-site.ts';
import { randomNumbers } from '../random-numbers.ts';

/**
 * PostgreSQL, a real object store and three workers with folders of their own, as scripts/cluster.sh starts them, with everything
 * killed that can be. `DAGUERRE_TEST_CLUSTER=20x20x6`: sites, pages of each, kills; 200x50x30 unless given.
 */
const [SITES = 200, PAGES = 50, KILLS = 30] = (process.env.DAGUERRE_TEST_CLUSTER ?? '200x50x30')
  .split('x')
  .map(Number);
const WORKERS = 3;

const missing = noCluster();
if (missing !== undefined) console.warn(`skipped: a cluster on one machine, because ${missing}`);

/** By the servers' own logs. */
function expectPolite(sites: readonly PoliteSite[]): void {
  for (const site of sites) {
    expect(site.atOnce, site.host).toBe(1);
    expect(site.closest(), site.host).toBeGreaterThanOrEqual(DELAY);
  }
}

async function expectEachOnce(cluster: Cluster, sites: readonly PoliteSite[], pages: number): Promise<void> {
  const urls = pagesOf(await cluster.captures(), sites);
  expect(urls).toHaveLength(new Set(urls).size);
  expect(urls).toHaveLength(sites.length * pages);
  const verified = await cluster.run('verify', '--json');
  expect(verified.json()).toMatchObject({ errors: [], warnings: [] });
}

describe.skipIf(missing !== undefined)('a cluster', { timeout: 7_200_000 }, () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await openCluster({ WORKERS: String(WORKERS), DAGUERRE_SILENCE: '8s' });
    await cluster.start();
  }, 600_000);
  afterAll(async () => {
    killAllDaguerres();
    await cluster?.remove();
  }, 300_000);

  it('crawls are handed over => every page once; verify, serve, export; reindex is refused; a stop and a start', async () => {
    const sites = await openSites(6, 12);
    try {
      const done = await (await cluster.handOver(sites)).ended;
      expect(done.json()).toMatchObject({ state: 'finished', captured: 72, failed: 0, pending: 0 });
      expectPolite(sites);
      await expectEachOnce(cluster, sites, 12);

      const shown = await fetch(`http://127.0.0.1:${cluster.port + 1}/archive/2100id_/${sites[0]?.url}/p3`);
      expect(await shown.text()).toContain('Site 0, page 3');
      const wacz = join(await temporaryFolder(), 'all.wacz');
      const exported = await cluster.run('export', '--out', wacz, '--json');
      expect(exported.code).toBe(0);
      await rm(wacz);

      const refused = await cluster.run('reindex');
      expect(refused.code).toBe(5);
      expect(refused.stderr).toContain('stop them first');

      await cluster.stop();
      expect((await cluster.status()).code).toBe(1);
      await cluster.start();
      expect((await cluster.status()).text).not.toContain('does not run');
      await expectEachOnce(cluster, sites, 12);
      const again = await (await cluster.handOver(sites.slice(0, 1))).ended;
      expect(again.json()).toMatchObject({ state: 'finished', captured: 0, unchanged: 12 });
    } finally {
      for (const site of sites) await site.close();
    }
  });

  it('a worker behind a network that swallows, and cuts after what it asked => every page once, politely', async () => {
    const pages = 20;
    const env = await cluster.env();
    const [database, store] = [new URL(env.DAGUERRE_DATABASE ?? ''), new URL(env.AWS_ENDPOINT_URL_S3 ?? '')];
    const [toDatabase, toStore] = [
      await fickleNetwork(Number(database.port)),
      await fickleNetwork(Number(store.port)),
    ];
    database.port = String(toDatabase.port);
    const sites = await openSites(12, pages);
    const start = async () =>
      spawnDaguerre(['worker', '--archive', join(await temporaryFolder(), 'away'), '--concurrency', '12'], {
        env: {
          ...env,
          DAGUERRE_DATABASE: database.href,
          AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${toStore.port}`,
        },
      });
    try {
      // It alone would do all of them.
      let far = await start();
      await far.said('has joined');
      const handing = await cluster.handOver(sites);
      const asked = (): number => sites.reduce((sum, { requests }) => sum + requests.length, 0);
      const reached = async (count: number) =>
        expect.poll(asked, { timeout: 300_000 }).toBeGreaterThanOrEqual(count);
      await reached(20);
      toStore.cutAfter('PUT ');
      await reached(60);
      toDatabase.cutAfter('commit');
      await reached(90);
      toStore.swallow({ letsNew: false });
      await sleep(5_000);
      toStore.heal();
      await reached(120);
      // For longer than the silence: others dismiss it, and it finds that out.
      toDatabase.swallow({ letsNew: false });
      await sleep(12_000);
      toDatabase.heal();
      void far.ended.then(async () => {
        far = await start();
      });
      const done = await handing.ended;
      expect(done.json()).toMatchObject({ state: 'finished', captured: 12 * pages, failed: 0, pending: 0 });
      expectPolite(sites);
      far.child.kill('SIGTERM');
      await expectEachOnce(cluster, sites, pages);
    } finally {
      await toDatabase.close();
      await toStore.close();
      for (const site of sites) await site.close();
    }
  });

  it('a backup taken while workers crawl, and restored => refused as too old; reindex has all that the copy holds', async () => {
    const pages = 15;
    const env = await cluster.env();
    const { DAGUERRE_DATABASE: database = '', DAGUERRE_STORAGE: storage = '' } = env;
    const sites = await openSites(6, pages);
    const asked = (): number => sites.reduce((sum, { requests }) => sum + requests.length, 0);
    const folder = await temporaryFolder();
    const dump = join(folder, 'dump.sql');
    const run = promisify(execFile);
    try {
      const handing = await cluster.handOver(sites);
      await expect.poll(asked, { timeout: 300_000 }).toBeGreaterThanOrEqual(30);
      await run('pg_dump', [database, '--schema', 'daguerre_*', '--file', dump]);
      expect((await handing.ended).code).toBe(0);
      const copies = 's3://restored/archive';
      await run('npx', ['tsx', 'scripts/bucket.ts', 'copy', storage, copies], {
        env: { ...process.env, ...env },
      });

      await run('psql', [database, '--command', 'create database restored']);
      const restored = new URL(database);
      restored.pathname = '/restored';
      await run('psql', [restored.href, '--quiet', '--set', 'ON_ERROR_STOP=1', '--file', dump]);
      const there = {
        ...env,
        ...{
          DAGUERRE_DATABASE: restored.href,
          DAGUERRE_STORAGE: copies,
          DAGUERRE_ARCHIVE: join(folder, 'there'),
        },
      };
      const worker = await daguerre(['worker'], { env: there });
      expect(worker.code).toBe(2);
      expect(worker.stderr).toContain('is older than the records');
      expect((await daguerre(['reindex'], { env: there })).code).toBe(0);
      expect((await daguerre(['verify', '--json'], { env: there })).json()).toMatchObject({ errors: [] });
      const urls = pagesOf(await cluster.captures(restored.href), sites);
      expect(urls).toHaveLength(6 * pages);
      expect(new Set(urls).size).toBe(6 * pages);
    } finally {
      for (const site of sites) await site.close();
    }
  });

  it(`${SITES} sites of ${PAGES} pages, ${KILLS} times a worker, PostgreSQL or the store is killed => every page once, politely`, async () => {
    const random = randomNumbers(20261118);
    const sites = await openSites(SITES, PAGES);
    const parts = [...Array.from({ length: WORKERS }, (_, index) => `worker-${index + 1}`), 'postgres', 's3'];
    try {
      const handing = await cluster.handOver(sites);
      const asked = (): number => sites.reduce((sum, { requests }) => sum + requests.length, 0);
      let isOver = false;
      void handing.ended.then(() => {
        isOver = true;
      });
      const killed: Record<string, number> = {};
      let known: ReadonlySet<string> = new Set();
      // Counted in requests, so that a slow machine is killed at the same places.
      const places = Array.from({ length: KILLS }, () => 0.9 * SITES * PAGES * random());
      for (const place of places.sort((a, b) => a - b)) {
        await expect.poll(asked, { timeout: 900_000 }).toBeGreaterThanOrEqual(place);
        if (isOver) {
          const { code, stdout, stderr } = await handing.ended;
          const fell = `${Object.values(killed).reduce((sum, times) => sum + times, 0)} of ${KILLS}`;
          throw new Error(
            `over after ${fell} kills, exit code ${code}: ${stdout.slice(0, 200)} ${stderr.slice(-500)}`,
          );
        }
        const part = parts[Math.floor(random() * parts.length)] ?? '';
        await cluster.kill(part);
        killed[part] = (killed[part] ?? 0) + 1;
        await sleep(random() * 6_000);
        // Whatever is gone: a worker that was away for too long has left by itself.
        await cluster.start();
        const now = new Set((await cluster.captures()).map(({ recordId }) => recordId));
        expect([...known].filter((id) => !now.has(id))).toEqual([]);
        known = now;
      }
      while (!isOver) {
        await cluster.start();
        await Promise.race([handing.ended, sleep(10_000)]);
      }
      console.info(`killed: ${JSON.stringify(killed)}; requests: ${asked()}`);
      const done = await handing.ended;
      expect(done.json()).toMatchObject({
        state: 'finished',
        captured: SITES * PAGES,
        failed: 0,
        pending: 0,
      });
      expectPolite(sites);
      const all = new Set((await cluster.captures()).map(({ recordId }) => recordId));
      expect([...known].filter((id) => !all.has(id))).toEqual([]);
      await expectEachOnce(cluster, sites, PAGES);
    } finally {
      for (const site of sites) await site.close();
    }
  });
});
