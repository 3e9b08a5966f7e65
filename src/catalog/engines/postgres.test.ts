import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/postgres.ts';
import { catalogConformance } from '../catalog.conformance.ts';
import { all, batch, capture, crawlWith, entry, SPEC } from '../conformance/examples.conformance.ts';
import { openCatalog } from '../open.ts';
import type { Tables } from '../tables.ts';
import { openPostgresCatalog } from './postgres.ts';
import { refuseOldServer } from './postgres-schema.ts';

let server: TestPostgres;
let schemas = 0;
const newSchema = (): string => `daguerre_test_${process.pid}_${++schemas}`;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

async function query(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(text);
  await client.end();
}

async function rows(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const result = await client.query<Record<string, unknown>>(text);
  await client.end();
  return result.rows;
}

catalogConformance(
  'PostgreSQL',
  async () => {
    const schema = newSchema();
    return {
      open: (options) => openPostgresCatalog(server.url, { schema, ...options }),
      remove: () => query(`drop schema if exists ${schema} cascade`),
    };
  },
  { modelRuns: 20 },
);

describe('PostgreSQL server', () => {
  it('two writers of one schema, opened and writing at once => every URL once', async () => {
    const schema = newSchema();
    const [one, two] = await Promise.all([
      openPostgresCatalog(server.url, { schema }),
      openCatalog(`${server.url}?schema=${schema}`),
    ]);
    const { crawlId } = await crawlWith(one, []);
    const urls = Array.from({ length: 300 }, (_, i) => entry(`https://example.org/${i}`));
    const results = await Promise.all([
      one.commit(batch(crawlId, { discovered: urls })),
      two.commit(batch(crawlId, { discovered: urls.toReversed() })),
    ]);
    expect(results.reduce((sum, { enqueued }) => sum + enqueued.length, 0)).toBe(300);
    expect(await two.tally(crawlId)).toMatchObject({ pending: 300 });
    await one.close();
    await two.close();
    await query(`drop schema ${schema} cascade`);
  });

  it('a reader where there is no schema => absent, and none is made', async () => {
    const schema = newSchema();
    const reading = openPostgresCatalog(server.url, { schema, readonly: true });
    await expect(reading).rejects.toMatchObject({ kind: 'absent' });
    expect(await rows(`select 1 from pg_namespace where nspname = '${schema}'`)).toEqual([]);
  });

  it.each([true, false])(
    'an earlier schema, readonly: %s => older-schema, left as it is',
    async (readonly) => {
      const schema = newSchema();
      await (await openPostgresCatalog(server.url, { schema })).close();
      await query(`update ${schema}.schema_version set version = 1`);
      const opening = openPostgresCatalog(server.url, { schema, readonly });
      await expect(opening).rejects.toMatchObject({ kind: 'older-schema' });
      await expect(opening).rejects.toThrow('drop its schema');
      expect(await rows(`select version from ${schema}.schema_version`)).toEqual([{ version: '1' }]);
      await query(`drop schema ${schema} cascade`);
    },
  );

  it('changes of an earlier schema => their words are found', async () => {
    const schema = newSchema();
    const url = 'https://example.org/';
    const course = { changed: [], renamed: [], came: [], went: [] };
    const operations = ['Budget', 'Rain'].map((text) => ({
      ...{ op: 'insert' as const, element: 'text' as const, block: 'B1', weight: 0.5, new: text },
    }));
    const first = await openPostgresCatalog(server.url, { schema });
    const changes = [{ url, from: 1, to: 2, importance: 0.5, operations, course }];
    await first.index({ captures: [], pages: [], changes, fileLengths: new Map() });
    await first.close();
    await query(`drop table ${schema}.change_words; update ${schema}.schema_version set version = 24`);
    const second = await openPostgresCatalog(server.url, { schema });
    expect(await second.changes({ text: 'budget' })).toMatchObject([{ url }]);
    expect(await second.changes({ op: 'delete' })).toEqual([]);
    await second.close();
    await query(`drop schema ${schema} cascade`);
  });

  it('two archives in one database => neither sees the other', async () => {
    const one = await openCatalog(server.url, { archiveId: 'k7mq-2xrt-9hbd' });
    const two = await openCatalog(server.url, { archiveId: '2222-3333-4444' });
    await one.index({ captures: [capture('https://example.org/', 1)], pages: [], fileLengths: new Map() });
    expect(await all(one.captures({}))).toHaveLength(1);
    expect(await all(two.captures({}))).toEqual([]);
    await one.close();
    await two.close();
    await query(`drop schema daguerre_k7mq_2xrt_9hbd cascade; drop schema daguerre_2222_3333_4444 cascade`);
  });

  it('a server that is too old => refused, with its version', async () => {
    const db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: server.url }) }),
    });
    await expect(refuseOldServer(db, 'here', 999)).rejects.toThrow(/is PostgreSQL \d+, 999 or later/);
    await refuseOldServer(db, 'here');
    await db.destroy();
  });

  it('a server that takes no writes => read-only', async () => {
    const schema = newSchema();
    await query(`create role standby superuser login password 'test';
      alter role standby set default_transaction_read_only = on; create schema ${schema}`);
    const url = new URL(server.url);
    url.username = 'standby';
    url.password = 'test';
    await expect(openPostgresCatalog(url.href, { schema })).rejects.toMatchObject({ kind: 'read-only' });
    await query(`drop role standby; drop schema ${schema}`);
  });

  it('a wrong password => unreachable, and says what the server rejects', async () => {
    await query(`create role guest login password 'right'`);
    const url = new URL(server.url);
    url.username = 'guest';
    url.password = 'wrong';
    await expect(openPostgresCatalog(url.href, { schema: newSchema() })).rejects.toThrow(
      'rejects user name or password',
    );
    await query(`drop role guest`);
  });

  it('tables of something else => foreign', async () => {
    const schema = newSchema();
    await query(`create schema ${schema}; create table ${schema}.recipes (id int)`);
    await expect(openPostgresCatalog(server.url, { schema })).rejects.toMatchObject({ kind: 'foreign' });
    await query(`drop schema ${schema} cascade`);
  });

  it('a later schema => newer-schema', async () => {
    const schema = newSchema();
    await (await openPostgresCatalog(server.url, { schema })).close();
    await query(`update ${schema}.schema_version set version = 99`);
    await expect(openPostgresCatalog(server.url, { schema })).rejects.toMatchObject({ kind: 'newer-schema' });
    await query(`drop schema ${schema} cascade`);
  });

  it('no server => unreachable, without the password in the message', async () => {
    const opening = openPostgresCatalog('postgres://me:hush@127.0.0.1:1/db', { schema: 'a' });
    await expect(opening).rejects.toMatchObject({ kind: 'unreachable' });
    await expect(
      openPostgresCatalog('postgres://me:hush@127.0.0.1:1/db', { schema: 'a' }),
    ).rejects.not.toThrow('hush');
  });

  it('no such database => unreachable', async () => {
    const url = new URL(server.url);
    url.pathname = '/no_such_database';
    await expect(openPostgresCatalog(url.href, { schema: newSchema() })).rejects.toThrow('no such database');
  });

  it('a schema name with odd characters => refused', async () => {
    await expect(openPostgresCatalog(server.url, { schema: 'x; drop' })).rejects.toThrow('schema name');
  });

  it('connections that the server ends => an error that says so, then all is well', async () => {
    const schema = newSchema();
    const catalog = await openPostgresCatalog(`${server.url}?application_name=${schema}`, { schema });
    await query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like '${schema} %'`,
    );
    // The pool finds out at the latest when a query fails; each failure takes one dead connection away.
    let created: unknown;
    for (let attempt = 0; attempt < 5 && created === undefined; attempt++) {
      created = await catalog.createCrawl('key', SPEC, 1).catch((error: unknown) => {
        expect(error).toMatchObject({ kind: 'unreachable' });
      });
    }
    expect(created).toMatchObject({ key: 'key' });
    await catalog.close();
    await query(`drop schema ${schema} cascade`);
  });
});
