import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPostgresCatalog } from '../../src/catalog/engines/postgres.ts';
import { schemaOf } from '../../src/catalog/engines/postgres-schema.ts';
import { isWebCapture } from '../../src/model/capture.ts';
import type { SeenVisit, WatchAccount } from '../../src/model/watch.ts';
import type { Catalog } from '../../src/ports/catalog.ts';
import { readIdentity } from '../../src/storage/identity-file.ts';
import { startHook } from '../loopback-hook.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { collect, daguerre, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { type LivingSite, startLivingSite } from './living-site.ts';

/* A watch whose rounds and captures workers make, on two sites. */

/** Shortened, so that nobody waits a minute; long enough for a machine that is busy with other tests. */
const SILENCE = { DAGUERRE_SILENCE: '8s' };
const TIMES = { timeout: 90_000, interval: 200 };

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

let sites: readonly [LivingSite, LivingSite];
let hook: Awaited<ReturnType<typeof startHook>>;
let folder: string;
let place: readonly string[];
beforeEach(async () => {
  sites = [await startLivingSite(), await startLivingSite()];
  hook = await startHook();
  folder = await temporaryFolder();
  place = ['--archive', join(folder, 'archive'), '--database', server.url];
  await writeFile(
    join(folder, 'watch.yaml'),
    `budget: { requestsPerHour: 36000 }
defaults: { render: never, delay: 0s, allowPrivate: true, attempts: 1, workers: 1 }
round: 20s
alerts: [{ name: gone, when: { gone: true }, send: { webhook: ${hook.url} } }]
delivery: { allowPrivate: true }
sites: [{ url: ${sites[0].url}/, pages: { every: 1s, of: ['/*'] } }, { url: ${sites[1].url}/, pages: { every: 1s, of: ['/*'] } }]
`,
  );
});
afterEach(async () => {
  for (const site of sites) await site.close();
  await hook.close();
});

const watch = (): Running =>
  spawnDaguerre(
    ['watch', '--config', join(folder, 'watch.yaml'), ...place, '--hand-over', '--no-serve', '--json'],
    { env: SILENCE },
  );
const work = (): Running => spawnDaguerre(['worker', ...place, '--concurrency', '2'], { env: SILENCE });

async function withCatalog<T>(use: (catalog: Catalog) => Promise<T>): Promise<T> {
  const schema = schemaOf((await readIdentity(join(folder, 'archive')))?.id ?? '');
  const catalog = await openPostgresCatalog(server.url, { schema, readonly: true });
  try {
    return await use(catalog);
  } finally {
    await catalog.close();
  }
}

/** By their bytes: both sites say the same, so that some are stored as revisits. */
const versionsOf = (site: LivingSite, path: string): Promise<number> =>
  withCatalog(async (catalog) => {
    const captures = await collect(catalog.captures({ url: `${site.url}${path}` }));
    return new Set(captures.flatMap(({ digest, status }) => (status === 200 ? [digest.sha256] : []))).size;
  });

const toldOf = (): readonly string[] => hook.received.map(({ body }) => JSON.parse(body).url);

/** Of one process, as it told them. */
const visitsOf = (stdout: string): readonly SeenVisit[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{"kind":"visit"'))
    .map((line) => JSON.parse(line));

/** Every request that the archive holds was learnt once, or waits to be: what was learnt twice or never would not add up. */
async function expectLearntOnce(): Promise<void> {
  await withCatalog(async (catalog) => {
    const kept = JSON.parse((await catalog.keptWatch()) ?? '{}');
    const { requests } = kept.watch.state.account as WatchAccount;
    const learnt = Object.values(requests).reduce((sum, count) => sum + count, 0);
    const left = await catalog.unlearntVisits({ limit: 10_000 });
    const waiting = left.reduce((sum, { lesson }) => sum + lesson.requests, 0);
    const captures = (await collect(catalog.captures({}))).filter(
      (fact) => isWebCapture(fact) && !fact.url.endsWith('/robots.txt'),
    );
    expect(learnt + waiting).toBe(captures.length);
  });
}

describe('a watch with workers', { timeout: 300_000 }, () => {
  it('no worker => said, and nothing visited; two join => sites captured, changes found, told and learnt from once', async () => {
    const watching = watch();
    await watching.said('No worker that captures has joined');
    expect(sites.flatMap(({ asked }) => asked)).toEqual([]);
    const workers = [work(), work()];
    for (const worker of workers) await worker.said('has joined');
    const captured = () => watching.said('"kind":"captured"');
    await captured();
    for (const site of sites) await expect.poll(() => versionsOf(site, '/p6'), TIMES).toBe(1);
    sites[0].change('/p1');
    sites[1].change('/new');
    sites[1].remove('/p5');
    await expect.poll(() => versionsOf(sites[0], '/p1'), TIMES).toBe(2);
    await expect.poll(() => versionsOf(sites[1], '/new'), TIMES).toBe(1);
    await expect.poll(toldOf, TIMES).toEqual([`${sites[1].url}/p5`]);
    for (const { child } of workers) child.kill('SIGTERM');
    for (const { ended } of workers) expect((await ended).code).toBe(0);
    watching.child.kill('SIGINT');
    const { code, stdout, stderr } = await watching.ended;
    expect([code, stderr]).toEqual([130, expect.not.stringContaining('failed')]);
    const visits = visitsOf(stdout);
    const changed = (url: string) => visits.filter((one) => one.url === url && one.outcome === 'changed');
    expect(changed(`${sites[0].url}/p1`)).toHaveLength(2);
    expect(changed(`${sites[1].url}/new`)).toMatchObject([{ isFirst: true }]);
    await expectLearntOnce();
    expect(toldOf()).toEqual([`${sites[1].url}/p5`]);
    const verified = await daguerre(['verify', ...place, '--json']);
    expect(verified.json<{ errors: unknown[] }>().errors).toEqual([]);
  });

  it('a worker and the watch are killed in a round => another watch takes over; nothing lost, nothing learnt or told twice', async () => {
    const [killed, staying] = [work(), work()];
    for (const worker of [killed, staying]) await worker.said('has joined');
    const first = watch();
    await first.said('"kind":"captured"');
    const second = watch();
    await second.said('standing by');
    for (const site of sites) await expect.poll(() => versionsOf(site, '/p6'), TIMES).toBe(1);
    const pages = ['/p1', '/p2', '/p3', '/p4'];
    for (const site of sites) site.delay = 300;
    for (const site of sites) for (const page of pages) site.change(page);
    for (const site of sites) site.remove('/p5');
    const before = sites.map(({ asked }) => asked.length);
    await expect
      .poll(() => sites.every(({ asked }, index) => asked.length > (before[index] ?? 0) + 2), TIMES)
      .toBe(true);
    killed.child.kill('SIGKILL');
    await expect.poll(() => versionsOf(sites[0], '/p1'), TIMES).toBe(2);
    first.child.kill('SIGKILL');
    await first.ended;
    for (const site of sites) site.delay = 0;
    await second.said('taking over');
    for (const site of sites)
      for (const page of pages) await expect.poll(() => versionsOf(site, page), TIMES).toBe(2);
    await expect.poll(() => toldOf().length, TIMES).toBe(2);
    sites[0].change('/p1');
    await expect.poll(() => versionsOf(sites[0], '/p1'), TIMES).toBe(3);
    staying.child.kill('SIGTERM');
    expect((await staying.ended).code).toBe(0);
    second.child.kill('SIGINT');
    const { code, stdout } = await second.ended;
    expect(code).toBe(130);
    // The second watch knows of each page what the first had learnt: what it heard first of a page is no first version.
    expect(visitsOf(stdout).filter(({ isFirst }) => isFirst)).toEqual([]);
    await expectLearntOnce();
    expect([...toldOf()].sort()).toEqual(sites.map(({ url }) => `${url}/p5`).sort());
    for (const page of pages.slice(1)) for (const site of sites) expect(await versionsOf(site, page)).toBe(2);
    const verified = await daguerre(['verify', ...place, '--json']);
    expect(verified.json<{ errors: unknown[] }>().errors).toEqual([]);
  });
});
