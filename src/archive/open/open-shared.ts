import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogFault } from '../../catalog/faults.ts';
import { isPostgres, openCatalog } from '../../catalog/open.ts';
import { archiveText } from '../../model/archive-identity.ts';
import type { WorkerRole } from '../../model/worker.ts';
import { type ArchiveFolder, createFolders } from '../../storage/archive-folder.ts';
import { ArchiveLocked, lockArchive, shareArchive } from '../../storage/archive-lock.ts';
import { archiveIdentity } from '../../storage/identity-file.ts';
import { makeFolder } from '../../storage/make-folder.ts';
import { openDecisionBook } from '../decisions/decision-book.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { VERSION } from '../version.ts';
import { admitCatalog } from './admit-catalog.ts';
import { catalogName } from './catalog-name.ts';
import { followingReader } from './following-reader.ts';
import { type FolderBefore, removeMade, whatWasThere } from './fresh-folder.ts';
import {
  type ArchiveLocation,
  importanceLedger,
  type OpenArchive,
  openForWriting,
  type WritingOptions,
} from './open-archive.ts';
import { openFolder, openFolderReader } from './open-folder.ts';
import { refuseOthers } from './refuse-others.ts';
import { refuseRebuilding } from './unfinished-rebuild.ts';

/** An archive that other processes write to as well. */
export interface SharedArchive extends OpenArchive {
  readonly workerId: number;
}

export interface SharingOptions extends Pick<WritingOptions, 'signal' | 'onWait'> {
  readonly roles: readonly WorkerRole[];
  /** See attendance.ts; absent of one that replaces nobody. */
  readonly silence?: number;
  /** Milliseconds to wait for a process that has the archive alone. */
  readonly wait?: number;
}

const AGAIN = 250;
/** In milliseconds: another worker that is starting may have a large archive to bring in line. */
const LONGEST_WAIT = 60_000;

/**
 * Opens an archive for writing beside others. The first to come, while alone, creates the archive or brings it in line
 * as `openForWriting` does; then all share it, and nobody may have it alone (`reindex`, a plain `archive`) until the
 * last one has left.
 */
export async function openForSharing(
  location: ArchiveLocation,
  command: string,
  options: SharingOptions,
): Promise<SharedArchive> {
  const shared = sharedLocation(location);
  const begunAt = systemClock.now();
  const archive = await untilShared(options, async () =>
    join(shared, command, options, await bringInLine(shared, command, options)),
  );
  const made = (await archiveIdentity(archive.folder))?.madeAt ?? 0;
  return made < begunAt ? archive : { ...archive, mended: [...archive.mended, madeText(shared, archive)] };
}

/** Whoever mistyped a name has an archive that nobody else works at. */
function madeText({ storage }: ArchiveLocation, { folder, identity }: SharedArchive): string {
  const made = identity ? `archive ${archiveText(identity)}` : 'one';
  const flags = storage === undefined ? '--archive' : '--storage';
  return `There was no archive in ${storage ?? folder.root}: ${made} was made just now. If another was meant, end this and look at ${flags}.`;
}

/** The same where others share it already: nothing is created or brought in line, and nobody's leftovers are mended. */
export function joinOthers(
  location: ArchiveLocation,
  command: string,
  options: SharingOptions,
): Promise<SharedArchive> {
  return untilShared(options, () => join(sharedLocation(location), command, options, []));
}

function sharedLocation(location: ArchiveLocation): ArchiveLocation & { readonly database: string } {
  const { database } = location;
  if (database !== undefined && isPostgres(database)) return { ...location, database };
  throw new UserError(
    'several processes share a catalog in PostgreSQL alone: give --database postgres://user@host/database',
  );
}

async function untilShared(
  { wait = LONGEST_WAIT, signal }: SharingOptions,
  open: () => Promise<SharedArchive>,
): Promise<SharedArchive> {
  for (let left = wait; ; left -= AGAIN) {
    try {
      return await open();
    } catch (error) {
      if (!isForeseen(error) || left <= 0 || signal?.aborted) throw error;
    }
    await sleep(AGAIN);
  }
}

/** From a process that is about to finish, or has just begun. */
export const isForeseen = (error: unknown): boolean =>
  error instanceof ArchiveLocked ||
  (error instanceof CatalogFault && (error.kind === 'busy' || error.kind === 'absent'));

/** Returns what was mended; nothing where others share the archive already, since the first of them did it. */
async function bringInLine(
  location: ArchiveLocation,
  command: string,
  { signal, onWait }: SharingOptions,
): Promise<readonly string[]> {
  try {
    const archive = await openForWriting(location, command, {
      patience: 0,
      ...(signal && { signal }),
      ...(onWait && { onWait }),
    });
    await archive.close();
    return archive.mended;
  } catch (error) {
    if (isForeseen(error)) return [];
    throw error;
  }
}

async function join(
  location: ArchiveLocation & { readonly database: string },
  command: string,
  { roles, silence, signal, onWait }: SharingOptions,
  mended: readonly string[],
): Promise<SharedArchive> {
  const folder = await openFolder(location, { ...(signal && { signal }), ...(onWait && { onWait }) });
  const before = await whatWasThere(folder.root);
  if (folder.remote) {
    // A machine that only asks others may have no folder yet: with an object store it is only a cache and a
    // spool.
    await makeFolder(folder.root);
    await createFolders(folder);
  }
  if (!existsSync(folder.root)) throw new ArchiveLocked(`${folder.root} is not there yet`);
  const lock = await shareArchive(
    folder.root,
    `workers ('daguerre ${command}', process ${process.pid}, and perhaps others: 'daguerre workers' lists them)`,
  );
  try {
    const identity = await archiveIdentity(folder);
    if (!identity) throw new ArchiveLocked(`${folder.root} is no archive yet`);
    const catalog = await openCatalog(location.database, {
      access: { kind: 'shared', patience: 0 },
      archiveId: identity.id,
      // Commits take turns, and each reads the book inside its transaction.
      ledger: importanceLedger,
      admit: async (owner) => {
        const catalog = catalogName(folder, location);
        await admitCatalog(owner, {
          ...{ folder, identity, catalog, isShared: true },
          rebuild: false,
          takeOver: false,
        });
      },
      patience: {
        wait: location.databaseWait ?? 0,
        tell: (sentence) => onWait?.(sentence),
        ...(signal && { signal }),
      },
    });
    try {
      await refuseRebuilding(folder.root, catalog);
      const before = systemClock.now();
      const workerId = await catalog.joinWorkers({
        machine: hostname(),
        process: process.pid,
        version: VERSION,
        roles,
        ...(silence !== undefined && { silence }),
      });
      await refuseOthers(catalog, workerId, { silence, before, after: systemClock.now() });
      const reader = followingReader(openFolderReader(folder), catalog);
      const { id, name } = identity;
      return {
        folder,
        catalog,
        reader,
        workerId,
        // Read each time: a process that had the archive alone in between may have added decisions.
        decisions: () => openDecisionBook({ folder, catalog, reader }),
        identity: { id, name },
        mended,
        lost: [],
        async close() {
          await reader.close();
          // A worker that was dismissed has already left.
          await catalog.dismissWorkers([workerId]).catch(() => {});
          await catalog.close();
          await lock.release();
          folder.remote?.close();
        },
      };
    } catch (error) {
      await catalog.close();
      throw error;
    }
  } catch (error) {
    await lock.release();
    await leaveAsBefore(folder, before);
    folder.remote?.close();
    throw error;
  }
}

/** Of several that begin in one folder nobody takes away what another has locked. */
async function leaveAsBefore(folder: ArchiveFolder, before: FolderBefore): Promise<void> {
  if (before === 'more') return;
  const alone = await lockArchive(folder.root, 'a process that ends').catch(() => undefined);
  if (!alone) return;
  await removeMade(folder, before).catch(() => {});
  await alone.release();
}
