import { readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { named } from '../../ports/system-error.ts';
import { errorCode } from '../faults.ts';

/** Largest catalog that is held in memory, in bytes: Node reads no larger file at once. */
const LARGEST = 2 * 1024 ** 3 - 1;

/** What SQLite says where it may not write: to the folder, to the disk. */
const CANNOT_WRITE = /^SQLITE_(?:CANTOPEN|READONLY|FULL|IOERR)/;

/**
 * Even to read a catalog, SQLite writes a file beside it (the index of the log). On a full or read-only disk it
 * cannot, though reading would be possible: there a catalog without a log is read into memory. Our SQLite is
 * built without `immutable` URIs, which would be the same without the memory.
 */
export function openDatabase(
  path: string,
  options: { readonly readonly: boolean; readonly timeout: number },
): Database.Database {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, options);
    // Opened so far is only the file; the log's index comes with the first statement.
    if (options.readonly) database.prepare('select 1 from sqlite_master').get();
    return database;
  } catch (error) {
    database?.close();
    const copy = options.readonly && CANNOT_WRITE.test(errorCode(error)) ? inMemory(path) : undefined;
    if (!copy) throw error;
    return copy;
  }
}

/** Bytes of the header that say how commits are written; 1 stands for "in the file itself". */
const WRITE_FORMAT = 18;
const READ_FORMAT = 19;

function inMemory(path: string): Database.Database | undefined {
  const { size } = statSync(path);
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  // What is only in the log would be missing.
  if (size > LARGEST || size <= READ_FORMAT || (log?.size ?? 0) > 0) return undefined;
  const bytes = read(path);
  bytes[WRITE_FORMAT] = 1;
  bytes[READ_FORMAT] = 1;
  return new Database(bytes, { readonly: true });
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw named(path, error);
  }
}
