import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { killAllDaguerres, type Running } from '../daguerre-process.ts';
import { startPostgres } from '../postgres.ts';
import { randomNumbers } from '../random-numbers.ts';
import { DELAY, openWorkersRig } from '../workers-rig.ts';

const SITES = 8;
const PAGES = 40;
const KILLS = 10;
const WORKERS = 3;

afterAll(killAllDaguerres);

it(`${KILLS} times one of ${WORKERS} workers is killed at random => every page once, hosts asked by one at a time, nothing lost`, async () => {
  const random = randomNumbers(20260901);
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  const server = await startPostgres();
  const rig = await openWorkersRig(join(folder, 'archive'), server.url, { sites: SITES, pages: PAGES });
  try {
    const start = (): Promise<Running> => rig.worker('--concurrency', '2', '--piece-visits', '10');
    const workers = await Promise.all(Array.from({ length: WORKERS }, start));
    const handing = rig.handOver();
    const asked = (): number => rig.sites.reduce((sum, { requests }) => sum + requests.length, 0);
    let isOver = false;
    void handing.ended.then(() => {
      isOver = true;
    });
    for (let kill = 0; kill < KILLS && !isOver; kill++) {
      // Counted in requests, so that a slow machine is killed at the same places.
      const goal = asked() + 5 + Math.floor(random() * 20);
      await expect.poll(() => isOver || asked() >= goal, { timeout: 300_000 }).toBe(true);
      const victim = Math.floor(random() * WORKERS);
      workers[victim]?.child.kill('SIGKILL');
      await workers[victim]?.ended;
      workers[victim] = await start();
    }
    const done = await handing.ended;
    expect(done.code).toBe(0);
    expect(done.json()).toMatchObject({ state: 'finished', captured: SITES * PAGES, pending: 0 });
    for (const site of [...rig.sites, rig.pictures]) {
      expect(site.atOnce).toBe(1);
      expect(site.closest()).toBeGreaterThanOrEqual(DELAY);
    }
    for (const { child, ended } of workers) {
      child.kill('SIGTERM');
      expect((await ended).code).toBe(0);
    }
    // Brings the files of the killed ones in line.
    const last = await start();
    last.child.kill('SIGTERM');
    await last.ended;
    const urls = (await rig.captures())
      .filter(
        ({ type, url }) => type === 'response' && url.startsWith('http') && !url.endsWith('/robots.txt'),
      )
      .map(({ url }) => url);
    expect(urls).toHaveLength(new Set(urls).size);
    expect(urls).toHaveLength(SITES * (PAGES + Math.ceil(PAGES / 3)));
    const verified = await rig.run('verify', '--json');
    expect(verified.json<{ errors: unknown[] }>().errors).toEqual([]);
  } finally {
    await rig.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

it('a worker hangs for longer than the silence, and wakes up => others go on, it ends by itself, every page once', async () => {
  const [sites, pages] = [4, 30];
  const folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
  const server = await startPostgres();
  const rig = await openWorkersRig(join(folder, 'archive'), server.url, { sites, pages });
  try {
    const hanging = await rig.worker('--concurrency', '4');
    const handing = rig.handOver();
    const asked = (): number => rig.sites.reduce((sum, { requests }) => sum + requests.length, 0);
    await expect.poll(asked, { timeout: 120_000 }).toBeGreaterThan(20);
    const other = await rig.worker('--concurrency', '4');
    hanging.child.kill('SIGSTOP');
    await other.said('others go on with its work');
    hanging.child.kill('SIGCONT');
    // By what the catalog says, or by a connection that was ended.
    expect([5, 7]).toContain((await hanging.ended).code);
    const done = await handing.ended;
    expect(done.json()).toMatchObject({ state: 'finished', captured: sites * pages, pending: 0 });
    for (const site of [...rig.sites, rig.pictures]) {
      expect(site.atOnce).toBe(1);
      expect(site.closest()).toBeGreaterThanOrEqual(DELAY);
    }
    // Beside a worker: the file of the one that hung has no index yet, which is no error.
    const verified = await rig.run('verify', '--json');
    expect(verified.json<{ errors: unknown[] }>().errors).toEqual([]);
    other.child.kill('SIGTERM');
    expect((await other.ended).code).toBe(0);
  } finally {
    await rig.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
