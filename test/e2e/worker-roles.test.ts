import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findChromium } from '../../src/capture/browser/find-chromium.ts';
import { schemaOf } from '../../src/catalog/engines/postgres-schema.ts';
import { readIdentity } from '../../src/storage/identity-file.ts';
import { LOOPBACK_BUCKET, loopbackS3 } from '../loopback-s3.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { openWorkersRig, type WorkersRig } from '../workers-rig.ts';
import { daguerre, temporaryFolder } from './daguerre.ts';

const noChromium = await findChromium().then(
  () => false,
  () => true,
);
if (noChromium) console.warn('skipped: workers that analyse, because there is no Chromium');

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());
afterEach(() => vi.unstubAllEnvs());

interface Listed {
  readonly workers: readonly { readonly roles: readonly string[] }[];
  readonly analyses: readonly { readonly site: string; readonly pages: number }[];
}

const openRig = async (sites: number, pages: number): Promise<WorkersRig> =>
  openWorkersRig(join(await temporaryFolder(), 'archive'), server.url, { sites, pages });
const listed = async (rig: WorkersRig): Promise<Listed> => (await rig.run('workers', '--json')).json();
/** How many records of a kind the catalog lists, and of how many pages. */
async function countOf(rig: WorkersRig, kind: string): Promise<readonly [number, number]> {
  const urls = (await rig.captures()).map(({ url }) => url).filter((url) => url.startsWith(`urn:${kind}:`));
  return [urls.length, new Set(urls).size];
}
async function expectVerified(rig: WorkersRig): Promise<void> {
  expect((await rig.run('verify', '--json')).json<{ errors: unknown[] }>().errors).toEqual([]);
}

describe('roles of workers', { timeout: 300_000 }, () => {
  it.skipIf(noChromium)(
    'a worker that only captures => leaves what it saw to one that analyses, which leaves crawls alone',
    async () => {
      const rig = await openRig(1, 4);
      try {
        const capturing = await rig.worker('--roles', 'capture');
        const done = await rig.handOver('--render', 'always').ended;
        expect(done.json()).toMatchObject({ state: 'finished', captured: 4 });
        expect(await listed(rig)).toMatchObject({
          workers: [{ roles: ['capture'] }],
          analyses: [{ pages: 4 }],
        });
        expect((await rig.run('workers')).stdout).toContain(
          "Waiting to be analysed: 4 pages of 1 site, and no worker has the role 'analyse'.",
        );
        expect(await countOf(rig, 'snapshot')).toEqual([4, 4]);
        expect(await countOf(rig, 'layout')).toEqual([0, 0]);

        const analysing = await rig.worker('--roles', 'analyse');
        await expect.poll(async () => (await listed(rig)).analyses, { timeout: 120_000 }).toEqual([]);
        expect(await countOf(rig, 'layout')).toEqual([4, 4]);
        capturing.child.kill('SIGTERM');
        expect((await capturing.ended).code).toBe(0);
        const again = rig.handOver('--render', 'never', '--restart');
        await again.said('no worker that captures has joined yet');
        again.child.kill('SIGINT');
        expect((await again.ended).code).toBe(130);
        analysing.child.kill('SIGTERM');
        const left = await analysing.ended;
        expect(left.code).toBe(0);
        expect(left.stdout).toContain('0 pages and resources in 0 pieces, 4 versions analysed');
        await expectVerified(rig);
      } finally {
        await rig.close();
      }
    },
  );

  it.skipIf(noChromium)(
    'what is kept follows from the delta => the crawl analyses its pages itself',
    async () => {
      const rig = await openRig(1, 2);
      try {
        const worker = await rig.worker('--roles', 'capture');
        await rig.handOver('--render', 'always', '--store', 'important').ended;
        expect((await listed(rig)).analyses).toEqual([]);
        expect(await countOf(rig, 'layout')).toEqual([2, 2]);
        worker.child.kill('SIGTERM');
        await worker.ended;
      } finally {
        await rig.close();
      }
    },
  );

  it.skipIf(noChromium)(
    'a worker is killed while it analyses => another goes on, each version once',
    async () => {
      const pages = 24;
      const rig = await openRig(1, pages);
      const database = new pg.Client({ connectionString: server.url });
      await database.connect();
      try {
        const capturing = await rig.worker('--roles', 'capture');
        const done = await rig.handOver('--render', 'always', '--delay', '0').ended;
        expect(done.json()).toMatchObject({ state: 'finished', captured: pages });
        const schema = schemaOf((await readIdentity(rig.archive))?.id ?? '');
        const analysed = async (): Promise<number> =>
          Number((await database.query(`select count(*) as n from ${schema}.analyses`)).rows[0]?.n);
        const killed = await rig.worker('--roles', 'analyse');
        await expect.poll(analysed, { timeout: 120_000, interval: 5 }).toBeGreaterThan(1);
        killed.child.kill('SIGKILL');
        await killed.ended;
        expect(await analysed()).toBeLessThan(pages);
        const next = await rig.worker('--roles', 'analyse');
        await expect.poll(async () => (await listed(rig)).analyses, { timeout: 120_000 }).toEqual([]);
        for (const { child, ended } of [capturing, next]) {
          child.kill('SIGTERM');
          expect((await ended).code).toBe(0);
        }
        for (const kind of ['analysis', 'layout', 'snapshot'])
          expect(await countOf(rig, kind), kind).toEqual([pages, pages]);
        // Whoever has the archive alone next takes in what the killed one had written last.
        const alone = await rig.worker();
        alone.child.kill('SIGTERM');
        await alone.ended;
        expect(await countOf(rig, 'analysis')).toEqual([pages, pages]);
        await expectVerified(rig);
      } finally {
        await database.end();
        await rig.close();
      }
    },
  );

  it('small files are merged by a worker while others crawl => every capture once, and readable', async () => {
    const store = await loopbackS3();
    for (const [name, value] of Object.entries(store.env)) vi.stubEnv(name, value);
    vi.stubEnv('DAGUERRE_STORAGE', `s3://${LOOPBACK_BUCKET}/p`);
    const [sites, pages] = [3, 30];
    const rig = await openRig(sites, pages);
    const files = (): number => [...store.objects.keys()].filter((key) => key.includes('.warc')).length;
    try {
      const capturing = await rig.worker('--roles', 'capture');
      const handing = rig.handOver();
      await expect.poll(files, { timeout: 120_000 }).toBeGreaterThan(32);
      const indexing = await rig.worker('--roles', 'index');
      await indexing.said('small record files were merged');
      const done = await handing.ended;
      expect(done.json()).toMatchObject({ state: 'finished', captured: sites * pages, pending: 0 });
      for (const { child, ended } of [capturing, indexing]) {
        child.kill('SIGTERM');
        expect((await ended).code).toBe(0);
      }
      const urls = (await rig.captures()).map(({ url }) => url).filter((url) => /\/(?:p\d+)?$/.test(url));
      expect(urls.filter((url) => url.startsWith('http'))).toHaveLength(sites * pages);
      await expectVerified(rig);
    } finally {
      await rig.close();
      await store.close();
    }
  });

  it('a role that there is not => refused in a sentence', async () => {
    const wrong = await daguerre(['worker', '--roles', 'capture,dance']);
    expect(wrong.stderr).toContain("'dance' is no role: capture, analyse, index are.");
    expect(wrong.code).toBe(2);
  });
});
