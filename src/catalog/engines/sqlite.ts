import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import { HOSTS_AS_SITES } from '../../model/site-bounds.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { ImportanceLedger } from '../../ports/importance-ledger.ts';
import { StorageFull } from '../../ports/record-store.ts';
import { CatalogFault, errorCode, REBUILD } from '../faults.ts';
import { readSiteRules } from '../reading/site-rules.ts';
import { type Admit, checkVersion, ensureTables } from '../schema.ts';
import { sqlCatalog } from '../sql-catalog.ts';
import type { Tables } from '../tables.ts';
import { type BulkStatement, type ColumnTypes, type RowOf, renderForSqlite } from './bulk-statement.ts';
import type { Engine } from './engine.ts';
import { openDatabase } from './open-database.ts';
import { isRoomGone } from './room-left.ts';

export interface SqliteOptions {
  /** For a reader beside a writer: `serve` while `archive` runs. */
  readonly readonly?: boolean;
  /** A quota: past it, writes fail as on a full disk. */
  readonly maxBytes?: number;
  /** Milliseconds to wait for another writer. */
  readonly busyTimeout?: number;
  readonly admit?: Admit;
  readonly ledger?: ImportanceLedger;
  /** Reads the whole file first: damage in a part that is seldom read shows late, or never. */
  readonly check?: boolean;
}

const BUSY_TIMEOUT = 5_000;
/**
 * Rows written before other work has its turn, about a millisecond: an answer that came meanwhile is taken and the
 * next request sent, so that the server works while we write.
 */
const SLICE = 128;
/** KiB of page cache per connection. 800 MB gained nothing at 10^6 URLs: decisions/0005-catalog.md. */
const CACHE_KIB = 96 * 1024;
/** Of a connection that goes through much once: what an import of histories costs with it is in decisions/0031. */
const PASSING_KIB = 8 * 1024;
/** Pages of WAL between checkpoints (64 MiB): an index page hit by many commits is then copied home once. */
const CHECKPOINT_PAGES = 16_384;

export async function openSqliteCatalog(path: string, options: SqliteOptions = {}): Promise<Catalog> {
  const readonly = options.readonly ?? false;
  if (readonly && !existsSync(path)) {
    throw new CatalogFault('unreachable', path, 'there is no such file: archive something first');
  }
  if (!existsSync(dirname(path))) {
    throw new CatalogFault('unreachable', path, 'its folder does not exist');
  }
  let database: Database.Database | undefined;
  try {
    database = openDatabase(path, { readonly, timeout: options.busyTimeout ?? BUSY_TIMEOUT });
    if (options.check) checkWhole(path, database);
    configure(database, options);
    const engine = sqliteEngine(path, database);
    await (readonly ? checkVersion(engine, options.admit) : ensureTables(engine, options.admit));
    await readSiteRules(engine);
    return sqlCatalog(engine, options.ledger);
  } catch (error) {
    // Before it is closed: the log that met a limit goes with the last connection.
    const explained = explain(path, error);
    database?.close();
    throw explained;
  }
}

function checkWhole(path: string, database: Database.Database): void {
  const found = database.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw new CatalogFault('damaged', path, `is damaged (${found}): ${REBUILD}`);
}

function configure(database: Database.Database, { readonly, maxBytes }: SqliteOptions): void {
  // Not before the file is known to be ours or empty: `journal_mode` would already write to it.
  const foreign =
    database.prepare(`select 1 from sqlite_master where type = 'table' limit 1`).get() !== undefined &&
    database.prepare(`select 1 from sqlite_master where name = 'schema_version'`).get() === undefined;
  if (!readonly && !foreign) {
    database.pragma('journal_mode = wal');
    // The catalog can be rebuilt: after a power cut it may lack the last commits, never be torn.
    database.pragma('synchronous = normal');
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    database.pragma(`journal_size_limit = ${CHECKPOINT_PAGES * 4096}`);
    if (maxBytes !== undefined) {
      const pageSize = database.pragma('page_size', { simple: true }) as number;
      database.pragma(`max_page_count = ${Math.ceil(maxBytes / pageSize)}`);
    }
  }
  database.pragma(`cache_size = -${CACHE_KIB}`);
  database.pragma('temp_store = memory');
}

function sqliteEngine(location: string, database: Database.Database): Engine {
  const prepared = new Map<string, Database.Statement>();
  // Kysely prepares anew for each call: 17 µs for a short query, 3 µs with the statement kept.
  const prepare = (sql: string): Database.Statement => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    if (prepared.size >= 200) prepared.clear();
    prepared.set(sql, statement);
    return statement;
  };
  const bulks = new Map<BulkStatement, Database.Statement>();
  const opened = fileAt(location);
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({
      database: {
        prepare: prepare as never,
        close: () => database.close(),
      },
    }),
  });
  return {
    db,
    dialect: 'sqlite',
    location,
    bounds: HOSTS_AS_SITES,
    // Immediate: a deferred transaction that turns writer late fails instead of waiting.
    begin: (connection) => connection.executeQuery(CompiledQuery.raw('begin immediate')),
    async bulk<C extends ColumnTypes, Result>(
      _: unknown,
      statement: BulkStatement<C, Result>,
      rows: readonly RowOf<C>[],
    ): Promise<Result[]> {
      let ready = bulks.get(statement);
      if (!ready) {
        ready = database.prepare(renderForSqlite(statement));
        bulks.set(statement, ready);
      }
      const names = Object.keys(statement.columns);
      const results: Result[] = [];
      let left = SLICE;
      for (const row of rows) {
        if (left-- === 0) {
          left = SLICE;
          await immediate();
        }
        if (!statement.returns) {
          ready.run(names.map((name) => row[name]));
          continue;
        }
        const result = ready.get(names.map((name) => row[name]));
        if (result !== undefined) results.push(result as Result);
      }
      return results;
    },
    async lasting(work) {
      database.pragma('synchronous = full');
      try {
        return await work();
      } finally {
        database.pragma('synchronous = normal');
      }
    },
    setCaching(isOn) {
      database.pragma(`cache_size = -${isOn ? CACHE_KIB : PASSING_KIB}`);
    },
    beforeCommit() {
      if (fileAt(location) === opened) return;
      throw new CatalogFault(
        'unreachable',
        location,
        'was moved, removed or replaced while it was open, so nothing more is written to it. ' +
          `Nothing is lost, the records are whole: put it back and run the same command, or ${REBUILD}`,
      );
    },
    explain: (error) => explain(location, error),
    async close() {
      await db.destroy();
      if (database.open) database.close();
    },
  };
}

/** Which file a path names: another one may take its place while we hold the first open. */
function fileAt(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : '';
}

function explain(path: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === 'SQLITE_FULL') return new StorageFull(path, error);
  const fault = (kind: ConstructorParameters<typeof CatalogFault>[0], detail: string) =>
    new CatalogFault(kind, path, detail, error);
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return fault('busy', 'another process is writing to it: wait until it is done, or stop it');
  }
  if (code === 'SQLITE_NOTADB') {
    return fault('damaged', `is not a catalog, or is damaged beyond reading: ${REBUILD}`);
  }
  if (code.startsWith('SQLITE_CORRUPT')) return fault('damaged', `is damaged: ${REBUILD}`);
  if (code.startsWith('SQLITE_READONLY')) {
    return fault(
      'read-only',
      'may not be written: make its folder writable, or copy the archive to one that is',
    );
  }
  if (code.startsWith('SQLITE_CANTOPEN')) {
    if (!existsSync(path)) return fault('unreachable', 'there is no such file');
    return fault(
      'read-only',
      'cannot be opened: it must be a file that may be read, in a folder that may be written',
    );
  }
  if (code.startsWith('SQLITE_IOERR')) {
    if (isRoomGone(path)) return new StorageFull(path, error);
    return fault(
      'damaged',
      `cannot be read or written (${code}): check the disk; if it is sound, ${REBUILD}`,
    );
  }
  return error;
}
