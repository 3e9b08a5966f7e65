import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSites } from '../cluster-rig.ts';
import { LOOPBACK_BUCKET, type LoopbackS3, loopbackS3 } from '../loopback-s3.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { SILENCE } from '../workers-rig.ts';
import { daguerre, spawnDaguerre, temporaryFolder } from './daguerre.ts';

let server: TestPostgres;
let store: LoopbackS3;
beforeAll(async () => {
  server = await startPostgres();
  store = await loopbackS3();
});
afterAll(async () => {
  await store?.close();
  await server?.stop();
});

const PAGES = 9;

describe('workers beside an object store', { timeout: 300_000 }, () => {
  const env = () => ({ ...store.env, ...SILENCE, DAGUERRE_STORAGE_WAIT: '0s' });
  const place = async (storage: string): Promise<string[]> => [
    ...['--archive', join(await temporaryFolder(), 'own'), '--database', server.url],
    ...['--storage', storage],
  ];

  it('a bucket that is not there, or keys that are refused => said, and nobody joins', async () => {
    const absent = await daguerre(['worker', ...(await place('s3://no-such-bucket/a'))], { env: env() });
    expect(absent.stderr).toContain("there is no bucket 'no-such-bucket'");
    expect(absent.code).not.toBe(0);
    store.interfere = () => ({ status: 403, code: 'InvalidAccessKeyId' });
    try {
      const denied = await daguerre(['worker', ...(await place(`s3://${LOOPBACK_BUCKET}/b`))], {
        env: env(),
      });
      expect(denied.stderr).toContain('check AWS_ACCESS_KEY_ID');
      expect(denied.code).not.toBe(0);
    } finally {
      store.interfere = () => undefined;
    }
  });

  it.each([
    ['is full', { status: 507, code: 'InsufficientStorage' }],
    ['refuses', { status: 403, code: 'AccessDenied' }],
    ['is away for too long', { status: 503, code: 'ServiceUnavailable' }],
  ])(
    'the store %s in mid-crawl => the worker leaves, the crawl waits; another brings it to its end',
    async (name, answer) => {
      const storage = `s3://${LOOPBACK_BUCKET}/${name.replaceAll(' ', '-')}`;
      const [site] = await openSites(1, PAGES);
      if (!site) throw new Error('no site');
      try {
        const start = async () => {
          const running = spawnDaguerre(['worker', ...(await place(storage))], { env: env() });
          await running.said('has joined');
          return running;
        };
        const first = await start();
        const handing = spawnDaguerre(
          [
            ...['archive', `${site.url}/`, ...(await place(storage)), '--hand-over', '--json'],
            ...['--allow-private', '--render', 'never', '--delay', '200ms', '--delay-factor', '0'],
          ],
          { env: env() },
        );
        await expect.poll(() => site.requests.length, { timeout: 60_000 }).toBeGreaterThan(3);
        store.interfere = (asked) => (asked.startsWith('PUT ') ? answer : undefined);
        const left = await first.ended;
        expect(left.code).not.toBe(0);
        expect(left.stderr).toContain(storage);
        expect(left.stderr).toMatch(/There was no archive in s3:.* was made just now/);
        const told = await handing.said('no worker is here any more, and the last one left: worker ');
        expect(told).toMatch(
          /worker \d+ \(.+, \/.*own\): .*start one with 'daguerre worker .* --storage s3:/,
        );
        expect(told).toContain('Handing over to the workers of archive');
        expect(told).not.toContain('was made just now');
        store.interfere = () => undefined;
        const second = await start();
        const done = await handing.ended;
        expect(done.json()).toMatchObject({ state: 'finished', captured: PAGES, failed: 0, pending: 0 });
        second.child.kill('SIGTERM');
        expect((await second.ended).code).toBe(0);
        const verified = await daguerre(['verify', '--json', ...(await place(storage))], { env: env() });
        expect(verified.json()).toMatchObject({ errors: [], warnings: [] });
      } finally {
        store.interfere = () => undefined;
        await site.close();
      }
    },
  );
});
