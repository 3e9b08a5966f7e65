import { dirname } from 'node:path';
import { isSystemError } from '../../ports/system-error.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { UserError } from '../user-error.ts';

export const recordFileGone = (path: string): UserError =>
  new UserError(
    `${path}: a record file of this archive is not there. Is its disk mounted? Put it back; or go on without it by ` +
      "'daguerre reindex', which keeps the loss as a record",
    'unreachable',
  );

/** For work that reads records: a missing record file is not a path that somebody mistyped. */
export async function orTellGone<T>({ warc, remote }: ArchiveFolder, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { path } = isSystemError(error) && error.code === 'ENOENT' ? error : {};
    const isOurs =
      path !== undefined && (dirname(path) === warc || (remote && path.startsWith(`${remote.url}/`)));
    if (path === undefined || !isOurs) throw error;
    throw recordFileGone(path);
  }
}
