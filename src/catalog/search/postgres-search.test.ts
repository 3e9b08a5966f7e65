import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
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
