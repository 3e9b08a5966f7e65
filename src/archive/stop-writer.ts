import { existsSync } from 'node:fs';
import { archiveFolder } from '../storage/archive-folder.ts';
import { ArchiveLocked, lockArchive } from '../storage/archive-lock.ts';
import type { ArchiveLocation } from './open/open-archive.ts';
import { requireArchive } from './open/require-archive.ts';
import { systemClock } from './system-clock.ts';
import { askAnywhere } from './writer/ask-anywhere.ts';
import { WRITER_PATIENCE } from './writer/ask-writer.ts';

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
  await requireArchive(location);
  const until = systemClock.now() + WRITER_PATIENCE;
  for (;;) {
    const answer = await askAnywhere(location, 'stop', {});
    if (answer) return answer;
    // Where the records lie in an object store, this machine may have no folder yet.
    const locked = existsSync(root) ? await lockOf(root) : undefined;
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
