import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';

export interface ArchiveLock {
  release(): Promise<void>;
}

export class ArchiveLocked extends Error {
  override readonly name = 'ArchiveLocked';
}

/**
 * One writer per archive. The lock is an exclusive transaction on an empty SQLite file: the operating system
 * frees it when the process dies, however it dies. A file with a process id in it would outlive `kill -9`
 * and, once the id is used again, point at a stranger. Who holds the lock is told in a file beside it.
 */
export async function lockArchive(root: string, holder: string): Promise<ArchiveLock> {
  const path = join(root, 'lock.sqlite');
  const note = join(root, 'lock.holder');
  const database = new Database(path, { timeout: 0 });
  try {
    database.pragma('journal_mode = delete');
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) {
      const who = await readFile(note, 'utf8').catch(() => 'another process');
      throw new ArchiveLocked(
        `the archive ${root} is being written by ${who.trim()}. Wait until it ends, or stop it; ` +
          'reading commands (serve, verify, export) work meanwhile.',
      );
    }
    throw error;
  }
  await writeFile(note, `${holder}\n`);
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
