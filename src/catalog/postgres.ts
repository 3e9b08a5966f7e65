import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Catalog } from '../ports/catalog.ts';
import { StorageFull } from '../ports/record-store.ts';
import { type BulkStatement, renderForPostgres } from './bulk-statement.ts';
import type { BulkRow, Connection, Engine } from './engine.ts';
import { CatalogFault, errorCode } from './faults.ts';
import { migrate } from './migrate.ts';
import { SqlCatalog } from './sql-catalog.ts';
import type { Tables } from './tables.ts';

export interface PostgresOptions {
  /** One archive per schema. */
  readonly schema?: string;
}

const INT8 = 20;
const NUMERIC = 1700;

/** `pg` hands out 64-bit integers as text; ours are all within 2^53. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if ((oid === INT8 || oid === NUMERIC) && format !== 'binary') return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

export async function openPostgresCatalog(
  connectionString: string,
  options: PostgresOptions = {},
): Promise<Catalog> {
  const schema = options.schema ?? 'daguerre';
  const location = `${withoutPassword(connectionString)} (schema ${schema})`;
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new CatalogFault(
      'foreign',
      location,
      'the schema name may hold a-z, 0-9 and _, and starts with a letter',
    );
  }
  const pool = new pg.Pool({
    connectionString,
    max: 4,
    types: types as pg.CustomTypesConfig,
    options: `-c search_path=${schema} -c client_min_messages=warning`,
  });
  // A connection that dies while idle is replaced at the next query; without listeners it would end us.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const engine = postgresEngine(location, pool);
  try {
    await engine.db.executeQuery(CompiledQuery.raw(`create schema if not exists ${schema}`));
    await migrate(engine);
  } catch (error) {
    await engine.close();
    throw explain(location, error);
  }
  return new SqlCatalog(engine);
}

function postgresEngine(location: string, pool: pg.Pool): Engine {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const rendered = new Map<BulkStatement, string>();
  return {
    db,
    dialect: 'postgres',
    location,
    begin: 'begin',
    async bulk<Row>(
      connection: Connection,
      statement: BulkStatement,
      rows: readonly BulkRow[],
    ): Promise<Row[]> {
      if (rows.length === 0) return [];
      let text = rendered.get(statement);
      if (text === undefined) {
        text = renderForPostgres(statement);
        rendered.set(statement, text);
      }
      const arrays = Object.keys(statement.columns).map((_, column) => rows.map((row) => row[column]));
      return (await connection.executeQuery<Row>(CompiledQuery.raw(text, arrays))).rows;
    },
    explain: (error) => explain(location, error),
    close: () => db.destroy(),
  };
}

function withoutPassword(connectionString: string): string {
  try {
    const url = new URL(connectionString);
    url.password = '';
    url.search = '';
    return url.href;
  } catch {
    return 'postgres://…';
  }
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server answers at that address: check host and port, and that it runs',
  ENOTFOUND: 'its host name cannot be resolved',
  ETIMEDOUT: 'the server does not answer',
  ECONNRESET: 'the server closed the connection: run the same command to go on',
  '28P01': 'the server rejects user name or password',
  '28000': 'the server rejects this user',
  '3D000': 'there is no such database: create it first',
  '42501': 'this user may not create or write the schema',
  '57P01': 'the server is shutting down: run the same command to go on',
  '57P03': 'the server is starting up: try again in a moment',
};

function explain(location: string, error: unknown): unknown {
  // `pg` gives this one no code.
  const lost = error instanceof Error && error.message.startsWith('Connection terminated');
  const code = lost ? 'ECONNRESET' : errorCode(error);
  if (code === '53100') return new StorageFull(location, error);
  const unreachable = UNREACHABLE[code];
  if (unreachable !== undefined) return new CatalogFault('unreachable', location, unreachable, error);
  if (code === 'XX001' || code === 'XX002') {
    return new CatalogFault(
      'damaged',
      location,
      `is damaged: drop the schema and run \`daguerre reindex\``,
      error,
    );
  }
  if (code === '40P01' || code === '40001' || code === '55P03') {
    return new CatalogFault('busy', location, 'another process writes the same rows: try again', error);
  }
  if (code === '25006') return new CatalogFault('read-only', location, 'the server is read-only', error);
  return error;
}
