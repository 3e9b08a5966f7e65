import type { RecoveryCatalog } from '../../ports/catalog.ts';
import { ArchiveLocked, isBeingWritten } from '../../storage/archive-lock.ts';
import { UserError } from '../user-error.ts';

/** For readers: a catalog that is being rebuilt knows only what has been restored so far. */
export async function refuseRebuilding(
  root: string,
  catalog: Pick<RecoveryCatalog, 'isRebuilding'>,
): Promise<void> {
  if (!(await catalog.isRebuilding())) return;
  if (isBeingWritten(root))
    throw new ArchiveLocked(
      `the catalog of ${root} is being rebuilt from the records, and tells only a part of them until that is done: ` +
        'wait for it, then run the same command',
    );
  throw new UserError(
    `a rebuild of the catalog of ${root} was interrupted: it tells only a part of what the records hold. No record is ` +
      "lost: run 'daguerre reindex', then the same command",
    'damaged',
  );
}
