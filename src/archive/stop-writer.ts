import { existsSync } from 'node:fs';
import { archiveFolder } from '../storage/archive-folder.ts';
import { ArchiveLocked, lockArchive } from '../storage/archive-lock.ts';
import { type ArchiveLocation, noArchive } from './open/open-archive.ts';
import { systemClock } from './system-clock.ts';
import { UserError } from './user-error.ts';
import { askWriter, WRITER_PATIENCE } from './writer/ask-writer.ts';

export interface StopReport {
  /** The process that finishes what it has in hand and then ends; null where nobody was writing. */
  readonly stopping: number | null;
}

/**
 * Makes the crawl that writes to the archive end as Ctrl-C would. Throws ArchiveLocked where the writer takes no
 * requests.
 */
export async function stopWriter(location: ArchiveLocation): Promise<StopReport> {
  const { root } = archiveFolder(location.archive);
  if (!existsSync(root)) throw new UserError(noArchive(root));
  const until = systemClock.now() + WRITER_PATIENCE;
  for (;;) {
    const answer = await askWriter(location, 'stop', {});
    if (answer) return answer;
    const locked = await lockOf(root);
    if (!locked) return { stopping: null };
    if (systemClock.now() >= until) throw locked;
    await systemClock.sleep(100);
  }
}

/** Undefined where nobody writes. */
async function lockOf(root: string): Promise<ArchiveLocked | undefined> {
  try {
    await (await lockArchive(root, `'daguerre stop', process ${process.pid}`)).release();
    return undefined;
  } catch (error) {
    if (error instanceof ArchiveLocked) return error;
    throw error;
  }
}
