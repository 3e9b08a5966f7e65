import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { WarcFile } from '../../ports/catalog.ts';
import { CatalogFault } from '../faults.ts';
import type { Tables } from '../tables.ts';
import { warcFiles } from '../writing/recovery.ts';
import { type Engine, transaction } from './engine.ts';

/** Where the catalog was before archives had schemas of their own. */
export const SHARED_SCHEMA = 'daguerre';

/** The schema of an archive. Its id is made of letters, digits and hyphens. */
export function schemaOf(archiveId: string): string {
  return `daguerre_${archiveId.replaceAll('-', '_')}`;
}

/** PostgreSQL folds names that are not quoted, and cuts off past 63 bytes. */
export function isSchemaName(name: string): boolean {
  return /^[a-z_][a-z0-9_]{0,62}$/.test(name);
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

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

/**
 * Makes the schema where it is missing. An archive of an earlier Daguerre finds its tables in SHARED_SCHEMA: they
 * become its own when `owns` says that all record files they name are its, and no archive has claimed them.
 */
export async function ensureSchema(
  engine: Engine,
  schema: string,
  owns: (files: readonly WarcFile[]) => boolean,
): Promise<void> {
  if (await schemaExists(engine.db, schema)) return;
  await transaction(engine, async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${SHARED_SCHEMA}, 0))`.execute(db);
    if (await schemaExists(db, schema)) return;
    const run = (text: string) => db.executeQuery(CompiledQuery.raw(text));
    if (schema !== SHARED_SCHEMA && (await sharedFiles(db, owns)))
      await run(`alter schema ${quoted(SHARED_SCHEMA)} rename to ${quoted(schema)}`);
    else await run(`create schema ${quoted(schema)}`);
  });
}

/** Whether the shared schema holds the catalog of this one archive. */
async function sharedFiles(
  db: Kysely<Tables>,
  owns: (files: readonly WarcFile[]) => boolean,
): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = ${SHARED_SCHEMA} and tablename in ('schema_version', 'warc_files', 'owner')`.execute(
    db,
  );
  const tables = new Set(rows.map(({ name }) => name));
  if (!tables.has('schema_version') || !tables.has('warc_files')) return false;
  const shared = db.withSchema(SHARED_SCHEMA);
  const version = await shared.selectFrom('schema_version').select('application').executeTakeFirst();
  if (version?.application !== 'daguerre') return false;
  if (tables.has('owner') && (await shared.selectFrom('owner').select('id').executeTakeFirst())) return false;
  return owns(await warcFiles(shared));
}
