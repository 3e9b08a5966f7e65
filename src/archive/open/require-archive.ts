import { existsSync } from 'node:fs';
import { archiveFolder } from '../../storage/archive-folder.ts';
import { archiveIdentity, readIdentity } from '../../storage/identity-file.ts';
import { UserError } from '../user-error.ts';
import { type ArchiveLocation, noArchive } from './open-archive.ts';
import { noArchiveIn, openFolder } from './open-folder.ts';

/** For commands that write only where there is something: a mistyped name must not become an archive. */
export async function requireArchive(location: ArchiveLocation): Promise<void> {
  const { root } = archiveFolder(location.archive);
  if (location.storage === undefined) {
    if (!existsSync(root)) throw new UserError(noArchive(root));
    return;
  }
  // The folder may be new: it is a cache and a spool. The records of one that is not may be about to move to the store.
  const folder = await openFolder(location);
  try {
    const identity = (await archiveIdentity(folder)) ?? (await readIdentity(root).catch(() => undefined));
    if (!identity) throw noArchiveIn(folder.remote?.url ?? location.storage);
  } finally {
    folder.remote?.close();
  }
}
