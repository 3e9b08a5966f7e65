import { existsSync } from 'node:fs';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { StorageFull } from '../ports/record-store.ts';

export interface ArchiveLock {
  release(): Promise<void>;
}

export class ArchiveLocked extends Error {
  override readonly name = 'ArchiveLocked';
}

export class LockFileDamaged extends Error {
  override readonly name = 'LockFileDamaged';
}

/**
 * One writer per archive. The lock is an exclusive transaction on an empty SQLite file: the operating system
 * frees it when the process dies, however it dies. A file with a process id in it would outlive `kill -9`
 * and, once the id is reused, point at a stranger. A file next to it says who holds the lock.
 */
export function lockArchive(root: string, holder: string): Promise<ArchiveLock> {
  return takeLock(root, holder, 'begin exclusive');
}

/** For processes that write concurrently: nobody has the archive alone meanwhile. */
export function shareArchive(root: string, holder: string): Promise<ArchiveLock> {
  return takeLock(root, holder, 'begin; select count(*) from sqlite_master');
}

async function takeLock(root: string, holder: string, statements: string): Promise<ArchiveLock> {
  const path = join(root, 'lock.sqlite');
  const note = join(root, 'lock.holder');
  // Where the file cannot be created, the system says why; SQLite only says that it cannot.
  await (await open(path, 'a')).close();
  const database = new Database(path, { timeout: 0 });
  try {
    database.pragma('journal_mode = delete');
    database.exec(statements);
  } catch (error) {
    database.close();
    throw await explained(error, path, { root, note });
  }
  // Only for messages: on a full disk something that matters will fail too, and report it.
  await writeFile(note, `${holder}\n`).catch(() => {});
  return {
    async release() {
      await rm(note, { force: true });
      if (database.open) {
        database.exec('rollback');
        database.close();
      }
    },
  };
}

async function explained(
  error: unknown,
  path: string,
  { root, note }: { readonly root: string; readonly note: string },
): Promise<unknown> {
  const { code } = error as { code?: string };
  if (code === 'SQLITE_NOTADB' || code?.startsWith('SQLITE_CORRUPT')) {
    return new LockFileDamaged(`${path} is no lock file: remove it, then run the same command`);
  }
  if (code === 'SQLITE_FULL') return new StorageFull(path, error);
  if (code?.startsWith('SQLITE_BUSY')) {
    const who = await readFile(note, 'utf8').catch(() => 'another process');
    return new ArchiveLocked(
      `the archive ${root} is being written by ${who.trim()}. Wait until it ends, or stop it; ` +
        'commands that only read (serve, verify, export) work meanwhile, for others see docs/archives.md.',
    );
  }
  if (code?.startsWith('SQLITE_')) {
    return new LockFileDamaged(`${path} cannot be locked (${code}): check that its disk works and has room`, {
      cause: error,
    });
  }
  return error;
}

/** For readers: whether a process holds the lock now. Creates nothing, and takes no lock. */
export function isBeingWritten(root: string): boolean {
  const path = join(root, 'lock.sqlite');
  if (!existsSync(path)) return false;
  const database = new Database(path, { readonly: true, timeout: 0 });
  try {
    database.prepare('select 1 from sqlite_master').all();
    return false;
  } catch (error) {
    return String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
  } finally {
    database.close();
  }
}
