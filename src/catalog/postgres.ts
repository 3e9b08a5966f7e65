import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Catalog, WarcFile } from '../ports/catalog.ts';
import { type BulkStatement, renderForPostgres } from './bulk-statement.ts';
import type { BulkRow, Connection, Engine } from './engine.ts';
import { CatalogFault } from './faults.ts';
import { type Admit, checkVersion, migrate } from './migrate.ts';
import { explainPostgres } from './postgres-faults.ts';
import { ensureSchema, isSchemaName, refuseOldServer, SHARED_SCHEMA } from './postgres-schema.ts';
import { SqlCatalog } from './sql-catalog.ts';
import type { Tables } from './tables.ts';

export interface PostgresOptions {
  /** One archive per schema. */
  readonly schema?: string;
  /** Nothing is made or migrated, and the server refuses every write. */
  readonly readonly?: boolean;
  readonly admit?: Admit;
  /** Whether these are record files of this archive: then tables of an earlier Daguerre become its own. */
  readonly owns?: (files: readonly WarcFile[]) => boolean;
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
  const { schema = SHARED_SCHEMA, readonly = false, admit, owns = () => false } = options;
  const location = `${withoutPassword(connectionString)} (schema ${schema})`;
  if (!isSchemaName(schema)) {
    throw new CatalogFault(
      'foreign',
      location,
      'the schema name may hold a-z, 0-9 and _, and starts with a letter',
    );
  }
  const settings = [`search_path=${schema}`, 'client_min_messages=warning'];
  if (readonly) settings.push('default_transaction_read_only=on');
  const pool = new pg.Pool({
    connectionString,
    max: 4,
    types: types as pg.CustomTypesConfig,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
  });
  // A connection that dies while idle is replaced at the next query; without listeners it would end us.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const engine = postgresEngine(location, pool);
  try {
    await refuseOldServer(engine.db, location);
    if (!readonly) await ensureSchema(engine, schema, owns);
    await (readonly ? checkVersion(engine, admit) : migrate(engine, admit));
  } catch (error) {
    await engine.close();
    throw explainPostgres(location, error);
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
    lasting: (work) => work(),
    explain: (error) => explainPostgres(location, error),
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
