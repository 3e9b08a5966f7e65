import { type Kysely, sql } from 'kysely';
import { CatalogFault } from '../faults.ts';
import type { Admit } from '../schema.ts';
import type { Tables } from '../tables.ts';
import { type Engine, transaction } from './engine.ts';

/** The schema of an archive. Its id is made of letters, digits and hyphens. */
export function schemaOf(archiveId: string): string {
  return `daguerre_${archiveId.replaceAll('-', '_')}`;
}

/** PostgreSQL folds names that are not quoted, and cuts off past 63 bytes. */
export function isSchemaName(name: string): boolean {
  return /^[a-z_][a-z0-9_]{0,62}$/.test(name);
}

/** The oldest server that is still maintained; earlier ones were never tried. */
export const OLDEST_SERVER = 14;

export async function refuseOldServer(
  db: Kysely<Tables>,
  location: string,
  oldest = OLDEST_SERVER,
): Promise<void> {
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version_num') as version`.execute(db);
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (major >= oldest) return;
  throw new CatalogFault(
    'unsupported',
    location,
    `the server is PostgreSQL ${major}, ${oldest} or later is needed: update it, or leave --database out and use SQLite`,
  );
}

async function schemaExists(db: Kysely<Tables>, schema: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(db);
  return rows.length > 0;
}

/** Makes the schema where it is missing, if an empty catalog is admitted. */
export async function ensureSchema(engine: Engine, schema: string, admit?: Admit): Promise<void> {
  if (await schemaExists(engine.db, schema)) return;
  await admit?.(undefined);
  await transaction(engine, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${schema}, 0))`.execute(db);
    if (await schemaExists(db, schema)) return;
    await sql`create schema ${sql.id(schema)}`.execute(db);
  });
}
