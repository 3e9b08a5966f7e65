import { CompiledQuery, sql } from 'kysely';
import type { CatalogOwner } from '../model/archive-identity.ts';
import { createTable } from './columns.ts';
import { type Connection, type Engine, transaction } from './engines/engine.ts';
import { CatalogFault, REBUILD } from './faults.ts';
import { ownerOf } from './owner.ts';
import { OLDEST_SCHEMA, SCHEMA_VERSION, TABLES } from './tables.ts';
import { fillChangeWords } from './writing/fill-change-words.ts';

const APPLICATION = 'daguerre';
/** Tells this lock of a schema from others that are named by it. */
const MAKING = 1145128789;

/** Is told whose catalog it is before anything in it is changed; throws to refuse it. */
export type Admit = (owner: CatalogOwner | undefined) => void | Promise<void>;

/** Makes the tables that are missing; says so when the database is not ours, or of another Daguerre. */
export async function ensureTables(engine: Engine, admit?: Admit): Promise<void> {
  const found = await knownVersion(engine, engine.db, OLDEST_SCHEMA);
  await admit?.(found === 0 ? undefined : await ownerOf(engine.db));
  // Most openings find nothing to do, and then take no lock.
  if (found === SCHEMA_VERSION) return;
  await transaction(engine, async (connection) => {
    if (engine.dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(hashtextextended(current_schema(), ${MAKING}))`.execute(
        connection,
      );
    const statements = Object.entries(TABLES).flatMap(([name, table]) =>
      createTable(engine.dialect, name, table),
    );
    for (const statement of statements) await connection.executeQuery(CompiledQuery.raw(statement));
    await fillChangeWords(engine, connection, found);
    await connection.deleteFrom('schema_version').execute();
    await connection
      .insertInto('schema_version')
      .values({ application: APPLICATION, version: SCHEMA_VERSION })
      .execute();
  });
}

/** For a reader, which may make nothing. */
export async function checkVersion(engine: Engine, admit?: Admit): Promise<void> {
  const found = await knownVersion(engine, engine.db, SCHEMA_VERSION);
  await admit?.(found === 0 ? undefined : await ownerOf(engine.db));
  if (found > 0) return;
  throw new CatalogFault(
    'absent',
    engine.location,
    'there is no catalog yet: run `daguerre reindex` to build it from the WARC files',
  );
}

/** 0 for an empty database. */
async function knownVersion(engine: Engine, connection: Connection, oldest: number): Promise<number> {
  const { location } = engine;
  const tables = new Set(await tableNames(engine, connection));
  if (tables.size === 0) return 0;
  const foreign = (cause?: unknown) =>
    new CatalogFault(
      'foreign',
      location,
      'is not a Daguerre catalog (it holds tables of something else): name another file or schema',
      cause,
    );
  if (!tables.has('schema_version')) throw foreign();
  const row = await connection
    .selectFrom('schema_version')
    .select(['application', 'version'])
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw foreign(error);
    });
  if (row?.application !== APPLICATION) throw foreign();
  if (row.version > SCHEMA_VERSION) {
    throw new CatalogFault(
      'newer-schema',
      location,
      `has schema version ${row.version}, this Daguerre knows ${SCHEMA_VERSION}: use the newer Daguerre, ` +
        `or ${REBUILD}`,
    );
  }
  if (row.version < oldest && row.version >= OLDEST_SCHEMA) {
    // A reader, or a worker beside others: whoever is alone with it makes what is missing.
    throw new CatalogFault(
      'older-schema',
      location,
      `was last written by an earlier Daguerre (schema version ${row.version}, this one reads ${oldest}), and nothing was changed: end all ` +
        "processes of the earlier one, then run a command of this one that writes, such as 'daguerre worker', 'watch' or 'reindex'; or use the earlier one",
    );
  }
  if (row.version < oldest) {
    throw new CatalogFault(
      'older-schema',
      location,
      `was made by an earlier Daguerre (schema version ${row.version}, this one reads ${oldest}): ` +
        (engine.dialect === 'postgres' ? `drop its schema, then ${REBUILD}` : REBUILD),
    );
  }
  return row.version;
}

async function tableNames({ dialect }: Engine, connection: Connection): Promise<readonly string[]> {
  const query =
    dialect === 'sqlite'
      ? sql<{
          name: string;
        }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`;
  return (await query.execute(connection)).rows.map(({ name }) => name);
}
