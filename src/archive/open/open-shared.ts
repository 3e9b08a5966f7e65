import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogFault } from '../../catalog/faults.ts';
import { isPostgres, openCatalog } from '../../catalog/open.ts';
import type { WorkerRole } from '../../model/worker.ts';
import { openSigner } from '../../storage/archive-key.ts';
import { ArchiveLocked, shareArchive } from '../../storage/archive-lock.ts';
import { archiveIdentity } from '../../storage/identity-file.ts';
import { openDecisionBook } from '../decisions/decision-book.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { VERSION } from '../version.ts';
import { admitCatalog } from './admit-catalog.ts';
import { followingReader } from './following-reader.ts';
import {
  type ArchiveLocation,
  type OpenArchive,
  openForWriting,
  type WritingOptions,
} from './open-archive.ts';
import { openFolder, openFolderReader } from './open-folder.ts';
import { refuseRebuilding } from './unfinished-rebuild.ts';

/** An archive that other processes write to as well. */
export interface SharedArchive extends OpenArchive {
  readonly workerId: number;
}

export interface SharingOptions extends Pick<WritingOptions, 'signal' | 'onWait'> {
  readonly roles: readonly WorkerRole[];
  /** Milliseconds to wait for a process that has the archive alone. */
  readonly wait?: number;
}

const AGAIN = 250;
/** Another worker that starts may have a large archive to bring in line. */
const LONGEST_WAIT = 60_000;

/**
 * Opens an archive for writing beside others. Whoever comes first, and is alone, makes the archive or brings it in line as
 * `openForWriting` does; then all share it, and nobody may have it alone (`reindex`, a plain `archive`) until the last one has
 * left. On-line importance is not kept: its book has one writer.
 */
export async function openForSharing(
  location: ArchiveLocation,
  command: string,
  options: SharingOptions,
): Promise<SharedArchive> {
  const { database } = location;
  if (database === undefined || !isPostgres(database))
    throw new UserError(
      'several processes share a catalog in PostgreSQL alone: give --database postgres://user@host/database',
    );
  const shared = { ...location, database };
  for (let left = options.wait ?? LONGEST_WAIT; ; left -= AGAIN) {
    const mended = await bringInLine(shared, command, options);
    try {
      return await join(shared, command, options, mended);
    } catch (error) {
      if (!isForeseen(error) || left <= 0 || options.signal?.aborted) throw error;
    }
    await sleep(AGAIN);
  }
}

/** Of a process that is about to be done, or has just begun. */
const isForeseen = (error: unknown): boolean =>
  error instanceof ArchiveLocked ||
  (error instanceof CatalogFault && (error.kind === 'busy' || error.kind === 'absent'));

/** What there is to tell; nothing where others share the archive already, since the first of them has done it. */
async function bringInLine(
  location: ArchiveLocation,
  command: string,
  { signal, onWait }: SharingOptions,
): Promise<readonly string[]> {
  try {
    const archive = await openForWriting(location, command, {
      importance: false,
      patience: 0,
      ...(signal && { signal }),
      ...(onWait && { onWait }),
    });
    try {
      // Here nobody else makes one.
      await openSigner(archive.folder.root, systemClock.now());
    } finally {
      await archive.close();
    }
    return archive.mended;
  } catch (error) {
    if (isForeseen(error)) return [];
    throw error;
  }
}

async function join(
  location: ArchiveLocation & { readonly database: string },
  command: string,
  { roles, signal, onWait }: SharingOptions,
  mended: readonly string[],
): Promise<SharedArchive> {
  const folder = await openFolder(location, { ...(signal && { signal }), ...(onWait && { onWait }) });
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
      admit: async (owner) => {
        await admitCatalog(owner, { folder, identity, isShared: true, rebuild: false, takeOver: false });
      },
      patience: {
        wait: location.databaseWait ?? 0,
        tell: (sentence) => onWait?.(sentence),
        ...(signal && { signal }),
      },
    });
    try {
      await refuseRebuilding(folder.root, catalog);
      const workerId = await catalog.joinWorkers({
        machine: hostname(),
        process: process.pid,
        version: VERSION,
        roles,
      });
      const reader = followingReader(openFolderReader(folder), catalog);
      const { id, name } = identity;
      return {
        folder,
        catalog,
        reader,
        workerId,
        // Read anew each time: whoever had the archive alone in between may have decided something.
        decisions: () => openDecisionBook({ folder, catalog, reader }),
        identity: { id, name },
        mended,
        lost: [],
        async close() {
          await reader.close();
          // Who is dismissed already has left.
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
    throw error;
  }
}
