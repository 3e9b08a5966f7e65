import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/postgres.ts';
import { openPostgresSearch } from './postgres-search.ts';
import { searchConformance } from './search.conformance.ts';

let server: TestPostgres;
const schema = `daguerre_search_${process.pid}`;

beforeAll(async () => {
  server = await startPostgres();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create schema ${schema}`);
  await client.end();
});
afterAll(() => server?.stop());

searchConformance('PostgreSQL', () => openPostgresSearch(server.url, { schema, readonly: false }));

it('an index of what passages were before => emptied, and made anew', async () => {
  const open = () => openPostgresSearch(server.url, { schema, readonly: false });
  const client = new pg.Client({ connectionString: server.url, options: `-c search_path=${schema}` });
  await client.connect();
  const index = await open();
  await index.setMark(42);
  await index.close();
  const same = await open();
  expect(await same.mark()).toBe(42);
  await same.close();
  await client.query('update search_state set version = 1');
  const anew = await open();
  expect([await anew.mark(), (await anew.states()).size]).toEqual([0, 0]);
  await anew.close();
  await client.end();
});
