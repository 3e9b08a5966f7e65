import { readdir } from 'node:fs/promises';
import { UserError } from '../user-error.ts';
import { type ArchiveLocation, archiveFolder, openForWriting } from './open-archive.ts';

/**
 * Makes an archive without captures where its folder is empty, or is not there; any other folder stays as it is.
 *
 * @returns its folder, where one was made
 */
export async function makeEmptyArchive(location: ArchiveLocation): Promise<string | undefined> {
  if (location.database !== undefined || location.storage !== undefined)
    throw new UserError('--new makes an archive in a folder: leave out --database and --storage');
  const { root } = archiveFolder(location.archive);
  const held = await readdir(root).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (held.length > 0) return undefined;
  await (await openForWriting(location, 'serve')).close();
  return root;
}
