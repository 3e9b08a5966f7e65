import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openForReading } from '../../src/archive/open/open-archive.ts';
import { collect, daguerre, FAST, spawnDaguerre, temporaryFolder } from '../e2e/daguerre.ts';
import { page, startSite } from '../e2e/small-site.ts';
import { fickleNetwork } from '../fickle-network.ts';
import { randomNumbers } from '../random-numbers.ts';
import { testS3 } from '../s3.ts';

/**
 * Records in a real object store, with everything killed that can be. `DAGUERRE_TEST_S3_FOLDER` is the folder that
 * scripts/s3-server.sh was started with: with it the gateway of the store is killed too.
 */
const PAGES = 300;
const KILLS = 30;
const real = await testS3('kills around a real object store');
const serverFolder = process.env.DAGUERRE_TEST_S3_FOLDER;
if (real && !serverFolder)
  console.warn('skipped: kill -9 of the store, because DAGUERRE_TEST_S3_FOLDER is not set');

const site = (path: string) => {
  const number = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (Number.isNaN(number)) return undefined;
  const children = [1, 2, 3].map((child) => 3 * number + child).filter((child) => child < PAGES);
  const links = children.map((child) => `/p${child}`);
  return { body: page(`Page ${number}`, links), after: 5 + ((number * 7) % 16) };
};

interface Place {
  readonly archive: string;
  readonly storage: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Record ids that the catalog names, each read from the store by a machine that has no copy. */
async function captured({ storage, env, archive }: Place): Promise<ReadonlyMap<string, string>> {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    const open = await openForReading({ archive, storage });
    try {
      const ids = new Map<string, string>();
      const remote = open.folder.remote;
      for (const { recordId, url, type, file, offset, length } of await collect(open.catalog.captures({}))) {
        expect((await remote?.range(file, offset, length))?.length).toBe(length);
        ids.set(recordId, `${type} ${url}`);
      }
      return ids;
    } finally {
      await open.close();
    }
  } finally {
    process.env = before;
  }
}

async function expectEachOnce(place: Place, url: string): Promise<void> {
  const args = ['--archive', place.archive, '--storage', place.storage, '--json'];
  const verified = await daguerre(['verify', ...args], { env: place.env });
  expect(verified.json()).toMatchObject({ errors: [], warnings: [] });
  const pages = [...(await captured(place)).values()].filter(
    (one) => one.startsWith(`response ${url}/`) && !one.endsWith('robots.txt'),
  );
  expect(pages).toHaveLength(PAGES);
  expect(new Set(pages).size).toBe(PAGES);
}

it.skipIf(!real)(
  `kill -9 at ${KILLS} moments => every page once, what was captured is in the store`,
  async () => {
    if (!real) return;
    const random = randomNumbers(20261118);
    const server = await startSite(site);
    const place = { archive: await temporaryFolder(), storage: `${real.storage}/kills`, env: real.env };
    const command = ['archive', `${server.url}/`, '--archive', place.archive, '--storage', place.storage];
    let known: ReadonlyMap<string, string> = new Map();
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const running = spawnDaguerre([...command, ...FAST, '--per-host', '4'], { env: real.env });
        const robots = server.asked.filter((path) => path === '/robots.txt').length;
        await Promise.race([
          server.seen(server.asked.length - robots + 1 + Math.floor(random() * 12)),
          running.ended,
        ]);
        await sleep(random() * 80);
        running.child.kill('SIGKILL');
        if ((await running.ended).code !== undefined) break;
        // Before the first opening was done there is nothing to look at.
        const now = await captured(place).catch((error: unknown) => {
          if (known.size > 0) throw error;
          return new Map<string, string>();
        });
        expect([...known.keys()].filter((id) => !now.has(id))).toEqual([]);
        known = now;
      }
      const last = await daguerre([...command, ...FAST], { env: real.env });
      expect(last.json()).toMatchObject({ state: 'finished', captured: PAGES, failed: 0, pending: 0 });
      await expectEachOnce(place, server.url);
    } finally {
      await server.close();
    }
  },
);

it.skipIf(!real)('a network that swallows, delays and cuts => waits, goes on, every page once', async () => {
  if (!real) return;
  const server = await startSite(site);
  const target = new URL(real.env.AWS_ENDPOINT_URL_S3 ?? '');
  const network = await fickleNetwork(Number(target.port));
  const env = { ...real.env, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${network.port}` };
  const place = { archive: await temporaryFolder(), storage: `${real.storage}/network`, env };
  try {
    const running = spawnDaguerre(
      ['archive', `${server.url}/`, '--archive', place.archive, '--storage', place.storage, ...FAST],
      { env },
    );
    await server.seen(20);
    network.cutAfter('PUT ');
    await server.seen(60);
    network.cutAfter('PUT ');
    await server.seen(100);
    network.swallow({ letsNew: false });
    await sleep(8_000);
    network.heal();
    const { json } = await running.ended;
    expect(json()).toMatchObject({ state: 'finished', captured: PAGES, failed: 0 });
    await expectEachOnce(place, server.url);
  } finally {
    await network.close();
    await server.close();
  }
});

it.skipIf(!real || !serverFolder)(
  'kill -9 of the gateway, 20 s away => waits, goes on, every page once',
  async () => {
    if (!real || !serverFolder) return;
    const server = await startSite(site);
    const place = { archive: await temporaryFolder(), storage: `${real.storage}/gateway`, env: real.env };
    const script = fileURLToPath(new URL('../../scripts/s3-server.sh', import.meta.url));
    const { port } = new URL(real.env.AWS_ENDPOINT_URL_S3 ?? '');
    try {
      const running = spawnDaguerre(
        ['archive', `${server.url}/`, '--archive', place.archive, '--storage', place.storage, ...FAST],
        { env: real.env },
      );
      await server.seen(40);
      process.kill(Number(await readFile(join(serverFolder, 'rgw.pid'), 'utf8')), 'SIGKILL');
      await sleep(20_000);
      await promisify(execFile)(script, ['gateway', serverFolder, port]);
      const { json, stderr } = await running.ended;
      expect(stderr).toContain('answers again: going on');
      expect(json()).toMatchObject({ state: 'finished', captured: PAGES, failed: 0 });
      await expectEachOnce(place, server.url);
    } finally {
      await server.close();
    }
  },
);
