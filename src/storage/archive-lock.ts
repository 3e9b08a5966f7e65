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
 * and, once the id is used again, point at a stranger. Who holds the lock is told in a file beside it.
 */
export async function lockArchive(root: string, holder: string): Promise<ArchiveLock> {
  const path = join(root, 'lock.sqlite');
  const note = join(root, 'lock.holder');
  // Where the file cannot be made, the system says why; SQLite only that.
  await (await open(path, 'a')).close();
  const database = new Database(path, { timeout: 0 });
  try {
    database.pragma('journal_mode = delete');
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    const { code } = error as { code?: string };
    if (code === 'SQLITE_NOTADB' || code?.startsWith('SQLITE_CORRUPT')) {
      throw new LockFileDamaged(`${path} is no lock file: remove it, then run the same command`);
    }
    if (code === 'SQLITE_FULL') throw new StorageFull(path, error);
    if (code?.startsWith('SQLITE_BUSY')) {
      const who = await readFile(note, 'utf8').catch(() => 'another process');
      throw new ArchiveLocked(
        `the archive ${root} is being written by ${who.trim()}. Wait until it ends, or stop it; ` +
          'reading commands (serve, verify, export) work meanwhile.',
      );
    }
    if (code?.startsWith('SQLITE_')) {
      throw new LockFileDamaged(
        `${path} cannot be locked (${code}): check that its disk works and has room`,
        { cause: error },
      );
    }
    throw error;
  }
  // A courtesy: a disk too full for it fails at something that matters, and is told there.
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
