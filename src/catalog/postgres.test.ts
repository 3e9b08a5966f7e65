import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../test/postgres.ts';
import { catalogConformance } from './catalog.conformance.ts';
import { batch, crawlWith, entry, SPEC } from './conformance/examples.conformance.ts';
import { openCatalog } from './open.ts';
import { openPostgresCatalog } from './postgres.ts';

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

catalogConformance(
  'PostgreSQL',
  async () => {
    const schema = newSchema();
    return {
      open: () => openPostgresCatalog(server.url, { schema }),
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
    const opening = openPostgresCatalog('postgres://me:hush@127.0.0.1:1/db');
    await expect(opening).rejects.toMatchObject({ kind: 'unreachable' });
    await expect(openPostgresCatalog('postgres://me:hush@127.0.0.1:1/db')).rejects.not.toThrow('hush');
  });

  it('no such database => unreachable', async () => {
    const url = new URL(server.url);
    url.pathname = '/no_such_database';
    await expect(openPostgresCatalog(url.href)).rejects.toThrow('no such database');
  });

  it('a schema name with odd characters => refused', async () => {
    await expect(openPostgresCatalog(server.url, { schema: 'x; drop' })).rejects.toThrow('schema name');
  });

  it('connections that the server ends => an error that says so, then all is well', async () => {
    const schema = newSchema();
    const catalog = await openPostgresCatalog(`${server.url}?application_name=${schema}`, { schema });
    await query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${schema}'`,
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
