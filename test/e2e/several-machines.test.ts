import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaOf } from '../../src/catalog/engines/postgres-schema.ts';
import { readIdentity } from '../../src/storage/identity-file.ts';
import { LOOPBACK_BUCKET, type LoopbackS3, loopbackS3 } from '../loopback-s3.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { daguerre, type Running, spawnDaguerre, temporaryFolder } from './daguerre.ts';
import { type LivingSite, startLivingSite } from './living-site.ts';

/* One archive on several machines: its catalog in PostgreSQL, its records in an object store, a folder for each. */

const TOKEN = 'several-machines-0123456789-abcdef';
const PORTS = ['--port', '0', '--replay-port', '0', '--json', '--token', 'env:API_TOKEN'];
const READER = 'only_reads';

let server: TestPostgres;
let bucket: LoopbackS3;
let site: LivingSite;
let folder: string;
let schema: string;
let worker: Running;

beforeAll(async () => {
  [server, bucket, site] = await Promise.all([startPostgres(), loopbackS3(), startLivingSite()]);
  folder = await temporaryFolder();
  worker = start('worker', 'w');
  await worker.said('has joined');
  const handed = await run(
    ...(['archive', 'x', `${site.url}/`, '--hand-over', '--json'] as const),
    ...['--render', 'never', '--allow-private', '--delay', '0'],
  );
  expect(handed.json()).toMatchObject({ state: 'finished', captured: 8 });
  schema = schemaOf((await readIdentity(join(folder, 'w')))?.id ?? '');
  await sql(`create role ${READER} login password 'test'`).catch(() => {});
  await sql(`grant usage on schema ${schema} to ${READER}`);
  await sql(`grant select on all tables in schema ${schema} to ${READER}`);
}, 120_000);
afterAll(async () => {
  worker?.child.kill('SIGTERM');
  await worker?.ended;
  await sql(`drop owned by ${READER}; drop role ${READER}`);
  await Promise.all([server?.stop(), bucket?.close(), site?.close()]);
});

async function sql<Row>(text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

const place = (machine: string, database = server.url): string[] => [
  ...['--archive', join(folder, machine), '--database', database],
  ...['--storage', `s3://${LOOPBACK_BUCKET}/archive`],
];
const env = () => ({ ...bucket.env, API_TOKEN: TOKEN });
const start = (command: string, machine: string, ...flags: readonly string[]): Running =>
  spawnDaguerre([command, ...place(machine), ...flags], { env: env() });
const run = (command: string, machine: string, ...flags: readonly string[]) =>
  daguerre([command, ...place(machine), ...flags], { env: env() });

function asReader(): string {
  const url = new URL(server.url);
  url.username = READER;
  return url.href;
}

interface Served {
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; said: Said }>;
  stop(): Promise<void>;
}
interface Said {
  readonly detail?: string;
  readonly crawl?: number;
  readonly heard?: readonly string[];
}

async function serve(machine: string, database = server.url, ...flags: readonly string[]): Promise<Served> {
  const running = spawnDaguerre(['serve', ...place(machine, database), ...PORTS, ...flags], { env: env() });
  const { url } = JSON.parse(
    (await running.said('}\n')).split('\n').find((line) => line.startsWith('{')) ?? '',
  );
  return {
    async ask(method, path, body) {
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${url}/api/${path}`, { method, headers, ...sent });
      return { status: answer.status, said: (await answer.json()) as Said };
    },
    async stop() {
      running.child.kill('SIGINT');
      await running.ended;
    },
  };
}

const DECISION = { act: { kind: 'out' }, why: 'not ours', by: 'the editors' };

describe('one archive on several machines', { timeout: 120_000 }, () => {
  it('served twice beside a worker, once by a user who may only read => both show the same; who may not write is told', async () => {
    await writeFile(join(folder, 'crawls.yaml'), 'allowPrivate: true\ndelay: 0\nrender: never\n');
    await writeFile(join(folder, 'server.yaml'), 'crawls: crawls.yaml\n');
    const [here, there] = await Promise.all([
      serve('x', server.url, '--config', join(folder, 'server.yaml')),
      serve('y', asReader()),
    ]);
    try {
      const shown = await here.ask('GET', 'captures?limit=100');
      expect(shown.status).toBe(200);
      expect(await there.ask('GET', 'captures?limit=100')).toEqual(shown);
      expect(JSON.stringify(shown.said)).toContain(`${site.url}/p6`);

      const draft = { ...DECISION, targets: [`${site.url}/p6`] };
      expect((await here.ask('POST', 'decisions', draft)).status).toBe(200);
      expect(JSON.stringify((await there.ask('GET', 'decisions')).said)).toContain('not ours');
      const refused = await there.ask('POST', 'decisions', draft);
      expect([refused.status, refused.said.detail]).toEqual([
        403,
        expect.stringContaining('may only read the catalog'),
      ]);
      const ping = { url: `${site.url}/p1` };
      expect((await here.ask('POST', 'pings', ping)).status).toBe(409);
      expect((await there.ask('POST', 'pings', ping)).status).toBe(403);

      const notBegun = await there.ask('POST', 'crawls', { urls: [`${site.url}/p3`], depth: 0 });
      expect([notBegun.status, notBegun.said.detail]).toEqual([
        403,
        expect.stringContaining('may only read the catalog'),
      ]);
      const unchecked = await there.ask('POST', 'checks', { url: `${site.url}/p1` });
      expect([unchecked.status, unchecked.said.detail]).toEqual([
        403,
        expect.stringContaining('may only read the catalog'),
      ]);
      const asked = site.timesAsked('/p3');
      const begun = await here.ask('POST', 'crawls', { urls: [`${site.url}/p3`], depth: 0 });
      expect([begun.said.detail, begun.said.crawl]).toEqual([undefined, expect.any(Number)]);
      // The worker does it, not the machine that serves.
      await expect.poll(() => site.timesAsked('/p3'), { timeout: 60_000 }).toBeGreaterThan(asked);
      const [handed] = await sql<{ crawl_id: number }>(
        `select crawl_id from ${schema}.handed_crawls where crawl_id = ${begun.said.crawl}`,
      );
      expect(Number(handed?.crawl_id)).toBe(begun.said.crawl);
    } finally {
      await Promise.all([here.stop(), there.stop()]);
    }
  });

  it('a watch on one machine, beside a worker => pings and decisions of another reach it through the catalog', async () => {
    const config = join(folder, 'watch.yaml');
    await writeFile(
      config,
      `budget: { requestsPerHour: 3600 }\ndefaults: { render: never, delay: 0s, allowPrivate: true }\nround: 1h\nsites: [{ url: ${site.url}/, capture: never }]\n`,
    );
    const watching = start('watch', 'a', '--config', config, '--no-serve', '--json');
    try {
      const hasTick = () => sql(`select 1 from ${schema}.workers where doing like '%has the tick%'`);
      await expect.poll(hasTick, { timeout: 60_000 }).toHaveLength(1);
      // Never read so far: it is visited at once.
      site.change('/p77');
      const ping = await run('ping', 'b', `${site.url}/p77`, 'http://127.0.0.9:9/', '--json');
      expect(ping.json()).toEqual({ heard: [`${site.url}/p77`], unwatched: ['http://127.0.0.9:9/'] });
      await expect.poll(() => site.timesAsked('/p77'), { timeout: 60_000 }).toBeGreaterThan(0);
      const decided = await run('decide', 'b', `${site.url}/p4`, '--out', '--why', 'a test', '--by', 'me');
      expect([decided.code, decided.stderr]).toEqual([0, expect.not.stringContaining('workers write')]);
      expect(await watching.said('asked for from another machine')).toContain(
        `me decides ${site.url}/p4: out (a test)`,
      );
    } finally {
      watching.child.kill('SIGINT');
      expect((await watching.ended).code).toBe(130);
    }
  });

  it('a catalog of an earlier or a later Daguerre => readers and workers say what to do, and change nothing', async () => {
    const versions = () => sql<{ version: string }>(`select version from ${schema}.schema_version`);
    const [own] = await versions();
    try {
      for (const [version, what] of [
        [Number(own?.version) - 1, "then run a command of this one that writes, such as 'daguerre worker'"],
        [99, 'use the newer Daguerre'],
      ] as const) {
        await sql(`update ${schema}.schema_version set version = ${version}`);
        for (const command of ['serve', 'worker']) {
          const refused = await run(command, 'z', ...(command === 'serve' ? PORTS : []));
          expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(what)]);
        }
        expect(await versions()).toEqual([{ version: String(version) }]);
      }
    } finally {
      await sql(`update ${schema}.schema_version set version = ${own?.version}`);
    }
  });

  it('a worker of another version of Daguerre has joined => the next one is refused, and the first goes on', async () => {
    const workers = () => sql<{ id: string }>(`select id from ${schema}.workers`);
    const before = await workers();
    expect(before).toHaveLength(1);
    await sql(`update ${schema}.workers set version = '0.0.9'`);
    const other = await run('worker', 'z');
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringMatching(
        /is of Daguerre 0\.0\.9, and this is .* one archive is shared by processes of one version/,
      ),
    ]);
    expect(await workers()).toEqual(before);
  });
});
