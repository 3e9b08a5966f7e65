import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnPostgres, startOwnPostgres } from '../postgres.ts';
import { openWorkersRig } from '../workers-rig.ts';
import { temporaryFolder } from './daguerre.ts';

let server: OwnPostgres;
beforeAll(async () => {
  server = await startOwnPostgres();
});
afterAll(() => server?.stop());

async function query(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(text);
  await client.end();
}

const noStack = (text: string): void => expect(text).not.toMatch(/^\s+at .*:\d+/m);

describe('PostgreSQL under workers', { timeout: 300_000 }, () => {
  it('stopped and started again, soon after each time it was back => both workers go on, every page once', async () => {
    const pages = 40;
    const rig = await openWorkersRig(join(await temporaryFolder(), 'archive'), server.url, {
      sites: 3,
      pages,
    });
    try {
      const workers = [await rig.worker('--concurrency', '2'), await rig.worker('--concurrency', '2')];
      const handing = rig.handOver();
      const asked = (): number => rig.sites.reduce((sum, { requests }) => sum + requests.length, 0);
      for (let outage = 1; outage <= 4; outage++) {
        const before = asked();
        await expect.poll(asked, { timeout: 60_000 }).toBeGreaterThan(before + 4);
        await server.halt();
        await server.start();
        // At any moment of coming back.
        await new Promise((resolve) => setTimeout(resolve, 150 * outage));
        await query(`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name like 'daguerre %'`);
      }
      const done = await handing.ended;
      noStack(done.stderr);
      expect(done.code).toBe(0);
      expect(done.json()).toMatchObject({ state: 'finished', captured: 3 * pages, pending: 0 });
      for (const { child } of workers) child.kill('SIGTERM');
      for (const { ended } of workers) {
        const { code, stderr } = await ended;
        expect(stderr).toContain('The database is back after');
        noStack(stderr);
        expect(code).toBe(0);
      }
      const urls = (await rig.captures())
        .filter(({ type, url }) => type === 'response' && !url.endsWith('/robots.txt'))
        .map(({ url }) => url);
      expect(urls.filter((url, i) => urls.indexOf(url) !== i)).toEqual([]);
      expect((await rig.run('verify', '--json')).json()).toMatchObject({ errors: [] });
    } finally {
      await rig.close();
    }
  });
});
