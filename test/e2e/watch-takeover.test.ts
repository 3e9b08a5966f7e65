import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPostgresCatalog } from '../../src/catalog/engines/postgres.ts';
import { schemaOf } from '../../src/catalog/engines/postgres-schema.ts';
import type { Crawl } from '../../src/model/crawl.ts';
import type { Catalog } from '../../src/ports/catalog.ts';
import { readIdentity } from '../../src/storage/identity-file.ts';
import { startHook } from '../loopback-hook.ts';
import { LOOPBACK_BUCKET, loopbackS3 } from '../loopback-s3.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { collect, daguerre, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { type LivingSite, startLivingSite } from './living-site.ts';

/* One archive that several processes watch: one has the tick, the others stand by. */

/** Shortened, so that nobody waits a minute; long enough for a machine that is busy with other tests. */
const SILENCE = { DAGUERRE_SILENCE: '6s' };

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

let site: LivingSite;
let folder: string;
let config: string;
beforeEach(async () => {
  site = await startLivingSite();
  folder = await temporaryFolder();
  config = join(folder, 'watch.yaml');
});
afterEach(() => site.close());

const configure = (more = ''): Promise<void> =>
  writeFile(
    config,
    `budget: { requestsPerHour: 36000 }
defaults: { render: never, delay: 0s, allowPrivate: true, attempts: 1, workers: 1 }
round: 1s
${more}
sites: [{ url: ${site.url}/ }]
`,
  );

async function withCatalog<T>(archive: string, use: (catalog: Catalog) => Promise<T>): Promise<T> {
  const schema = schemaOf((await readIdentity(archive))?.id ?? '');
  const catalog = await openPostgresCatalog(server.url, { schema, readonly: true });
  try {
    return await use(catalog);
  } finally {
    await catalog.close();
  }
}

const versionsOf = (archive: string, path: string): Promise<number> =>
  withCatalog(archive, async (catalog) => {
    const captures = await collect(catalog.captures({ url: `${site.url}${path}` }));
    return captures.filter(({ type }) => type === 'response').length;
  });

/** But for the last one, in the middle of which Ctrl-C may have come. */
const unfinished = (crawls: readonly Crawl[]): readonly number[] =>
  crawls.slice(0, -1).flatMap(({ id, state }) => (state === 'finished' ? [] : id));

const TIMES = { timeout: 60_000, interval: 200 };

describe('several watches of one archive', { timeout: 180_000 }, () => {
  it('machines with folders of their own, the one with the tick is killed, the next told to leave => taken over, nothing lost, nothing twice', async () => {
    const bucket = await loopbackS3();
    const hook = await startHook();
    await configure(
      `alerts: [{ name: gone, when: { gone: true }, send: { webhook: ${hook.url} } }]\ndelivery: { allowPrivate: true }`,
    );
    const env = { ...SILENCE, ...bucket.env };
    const place = (machine: string): string[] => [
      ...['--archive', join(folder, machine), '--database', server.url],
      ...['--storage', `s3://${LOOPBACK_BUCKET}/archive`],
    ];
    const watch = (machine: string): Running =>
      spawnDaguerre(['watch', '--config', config, ...place(machine), '--no-serve', '--json'], { env });
    const told = (): readonly unknown[] => hook.received.map(({ body }) => JSON.parse(body).url);
    try {
      const first = watch('a');
      await first.said('"kind":"captured"');
      const second = watch('b');
      expect(await second.said('standing by')).toContain(`process ${first.child.pid}`);
      const a = join(folder, 'a');
      site.remove('/p6');
      await expect.poll(told, TIMES).toEqual([`${site.url}/p6`]);

      for (const page of ['/p1', '/p2', '/p3', '/p4']) site.change(page);
      site.delay = 300;
      const before = site.asked.length;
      await expect.poll(() => site.asked.length, TIMES).toBeGreaterThan(before + 1);
      first.child.kill('SIGKILL');
      await first.ended;
      site.delay = 0;
      await second.said('taking over');
      for (const page of ['/p1', '/p2', '/p3', '/p4'])
        await expect.poll(() => versionsOf(a, page), TIMES).toBe(2);

      const third = watch('c');
      await third.said(`process ${second.child.pid}): standing by`);
      second.child.kill('SIGTERM');
      expect((await second.ended).code).toBe(130);
      site.remove('/p5');
      site.change('/p1');
      await third.said('which stood by, has taken over');
      await expect.poll(() => versionsOf(a, '/p1'), TIMES).toBe(3);
      await expect.poll(told, TIMES).toHaveLength(2);
      third.child.kill('SIGINT');
      expect((await third.ended).code).toBe(130);

      expect(told()).toEqual([`${site.url}/p6`, `${site.url}/p5`]);
      for (const page of ['/p2', '/p3', '/p4']) expect(await versionsOf(a, page)).toBe(2);
      const verified = await daguerre(['verify', ...place('a'), '--json'], { env });
      expect(verified.json<{ errors: unknown[] }>().errors).toEqual([]);
      await withCatalog(a, async (catalog) => {
        expect(unfinished(await catalog.crawls())).toEqual([]);
        expect(await catalog.workers()).toEqual([]);
      });
    } finally {
      await hook.close();
      await bucket.close();
    }
  });

  it('the one with the tick hangs, in a folder that they share => taken over; woken up, it commits nothing and ends', async () => {
    await configure();
    const archive = join(folder, 'archive');
    const place = ['--archive', archive, '--database', server.url];
    const watch = (): Running =>
      spawnDaguerre(['watch', '--config', config, ...place, '--no-serve', '--json'], { env: SILENCE });
    const hanging = watch();
    await hanging.said('"kind":"captured"');
    const next = watch();
    await next.said('standing by');
    hanging.child.kill('SIGSTOP');
    site.change('/p1');
    await next.said('has given no sign of life for 6 s: taking over from it');
    await expect.poll(() => versionsOf(archive, '/p1'), TIMES).toBe(2);
    const crawls = (await withCatalog(archive, (catalog) => catalog.crawls())).map(({ id }) => id);
    hanging.child.kill('SIGCONT');
    const woken = await hanging.ended;
    expect([5, 7]).toContain(woken.code);
    // What the old one had begun was ended by the new one, and its own word on it came too late.
    site.change('/p2');
    await expect.poll(() => versionsOf(archive, '/p2'), TIMES).toBe(2);
    const workers = await withCatalog(archive, (catalog) => catalog.workers());
    expect(workers.map(({ process }) => process)).toEqual([next.child.pid]);
    next.child.kill('SIGINT');
    expect((await next.ended).code).toBe(130);
    expect(await versionsOf(archive, '/p1')).toBe(2);
    const after = await withCatalog(archive, (catalog) => catalog.crawls());
    expect(unfinished(after)).toEqual([]);
    expect(after.length).toBeGreaterThan(crawls.length);
  });
});
