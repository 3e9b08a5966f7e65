import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CatalogFault } from '../../catalog/faults.ts';
import { isPostgres, openCatalog } from '../../catalog/open.ts';
import type { ArchiveIdentity, CatalogOwner } from '../../model/archive-identity.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { ImportanceLedger } from '../../ports/importance-ledger.ts';
import type { RecordReader } from '../../ports/record-store.ts';
import { CashBook } from '../../science/importance/cash-book.ts';
import {
  type ArchiveFolder,
  archiveFolder,
  createFolders,
  recordFiles,
} from '../../storage/archive-folder.ts';
import { lockArchive } from '../../storage/archive-lock.ts';
import { archiveIdentity } from '../../storage/identity-file.ts';
import { keepListing } from '../../storage/kept-listing.ts';
import { makeFolder } from '../../storage/make-folder.ts';
import { emptySpool } from '../../storage/record-copies.ts';
import { removeSocket } from '../../storage/writer-socket.ts';
import { type DecisionBook, openDecisionBook } from '../decisions/decision-book.ts';
import { followRules } from '../sites/stored-rules.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { admitCatalog, admitForReading } from './admit-catalog.ts';
import { areOwnRecords, settleIdentity } from './archive-identity.ts';
import { catalogName } from './catalog-name.ts';
import { claimCatalog } from './claim-catalog.ts';
import { followingReader } from './following-reader.ts';
import { removeMade, whatWasThere } from './fresh-folder.ts';
import type { LostRecords } from './lost-records.ts';
import { isOlder } from './older-catalog.ts';
import { noArchiveIn, openFolder, openFolderReader } from './open-folder.ts';
import { openOrReplace } from './open-or-replace.ts';
import { keepWholeEvents, reconcile } from './reconcile.ts';
import { settleMerges } from './settle-merges.ts';
import { settleSwap } from './settle-swap.ts';
import { refuseRebuilding } from './unfinished-rebuild.ts';

export { archiveFolder };

export interface ArchiveLocation {
  /** Folder of the archive. */
  readonly archive: string;
  /** PostgreSQL URL of the catalog; SQLite in the folder otherwise. */
  readonly database?: string;
  /** How long to wait for a database that becomes unreachable during writing, in milliseconds. */
  readonly databaseWait?: number;
  /** `s3://bucket/prefix` that keeps the record files; the folder otherwise. */
  readonly storage?: string;
  /** How long to wait for an object store that becomes unreachable, in milliseconds. */
  readonly storageWait?: number;
  /** Limit for copies of record files that the folder may then hold, in bytes. */
  readonly storageCache?: number;
}

export interface OpenArchive {
  readonly folder: ArchiveFolder;
  readonly catalog: Catalog;
  readonly reader: RecordReader;
  /** Absent while a folder of an earlier Daguerre is only read. */
  readonly identity?: ArchiveIdentity;
  /** What people have decided; read on first use. */
  decisions(): Promise<DecisionBook>;
  /** What opening had to mend, in sentences. */
  readonly mended: readonly string[];
  /** Records that a rebuild went on without. */
  readonly lost: readonly LostRecords[];
  close(): Promise<void>;
}

export interface WritingOptions {
  /** The caller reindexes every record file; a damaged catalog is moved away. */
  readonly rebuild?: boolean;
  /** The folder becomes an archive of its own although it is a copy of one. */
  readonly newIdentity?: boolean;
  /** The catalog follows this folder although another copy of it wrote last. */
  readonly takeOver?: boolean;
  /** Whether on-line importance is kept; default true. */
  readonly importance?: boolean;
  /** Ends the wait for an unreachable database. */
  readonly signal?: AbortSignal;
  /** Receives what is being waited for. */
  readonly onWait?: (sentence: string) => void;
  /** How long to wait for the current writer of a shared catalog, in milliseconds. */
  readonly patience?: number;
}

/**
 * How long hosts are left alone that workers were asking when they died, in milliseconds: the workers' own pauses
 * died with them.
 */
const AFTER_DEATH = 5_000;

export const importanceLedger: ImportanceLedger = { open: (stored) => new CashBook(stored) };

export const noArchive = (root: string): string =>
  `there is no archive at ${root}: make one with 'daguerre archive <url>', or an empty one with 'daguerre serve --new'`;

/**
 * Opens an archive for reading, also while another process writes. Creates nothing: no folder, no catalog, no
 * schema.
 */
export async function openForReading(
  location: ArchiveLocation,
  { check = false }: { readonly check?: boolean } = {},
): Promise<OpenArchive> {
  const folder = await openFolder(location);
  // With an object store the folder is only a cache.
  if (folder.remote) await makeFolder(folder.warc);
  if (!existsSync(folder.root)) throw new UserError(noArchive(folder.root));
  const identity = await archiveIdentity(folder);
  if (folder.remote && !identity) throw noArchiveIn(folder.remote.url);
  const catalog = await openCatalog(location.database ?? folder.catalog, {
    readonly: true,
    check,
    ledger: importanceLedger,
    admit: (owner) => admitForReading(owner, identity),
    ...(identity && { archiveId: identity.id }),
  }).catch(async (error: unknown) => {
    if (!(error instanceof CatalogFault)) throw error;
    const isAbsent =
      error.kind === 'absent' || (location.database === undefined && error.kind === 'unreachable');
    if (!isAbsent) throw error;
    if (!identity && (await recordFiles(folder)).length === 0) throw new UserError(noArchive(folder.root));
    if (location.database === undefined) {
      throw new UserError(
        `the catalog ${folder.catalog} is gone: 'daguerre reindex' rebuilds it from the records`,
      );
    }
    throw error;
  });
  await refuseRebuilding(folder.root, catalog).catch(async (error: unknown) => {
    await catalog.close();
    throw error;
  });
  const reader = followingReader(openFolderReader(folder), catalog);
  return {
    folder,
    catalog,
    reader,
    decisions: once(() => openDecisionBook({ folder, catalog, reader })),
    ...(identity && { identity }),
    mended: [],
    lost: [],
    async close() {
      await reader.close();
      try {
        // What has been read since may lack what the rebuild has not restored yet.
        await refuseRebuilding(folder.root, catalog);
      } finally {
        await catalog.close();
        folder.remote?.close();
      }
    },
  };
}

/**
 * Opens an archive for writing: takes the lock, makes sure that the catalog is this archive's, then brings record
 * files and catalog in line (reconcile.ts).
 */
export async function openForWriting(
  location: ArchiveLocation,
  command: string,
  options: WritingOptions = {},
): Promise<OpenArchive> {
  const folder = await openFolder(location, options);
  const before = await whatWasThere(folder.root);
  await makeFolder(folder.root);
  const lock = await lockArchive(folder.root, `'daguerre ${command}', process ${process.pid}`);
  try {
    await createFolders(folder);
    await removeSocket(folder.root);
    await emptyFolder(folder.tmp);
    const opened = await openOwn(folder, location, options);
    const reader = followingReader(openFolderReader(folder), opened.catalog);
    return {
      ...opened,
      reader,
      decisions: once(() => openDecisionBook({ folder, catalog: opened.catalog, reader })),
      async close() {
        await reader.close();
        await opened.catalog.close();
        await lock.release();
        folder.remote?.close();
      },
    };
  } catch (error) {
    await removeMade(folder, before).catch(() => {});
    await lock.release();
    folder.remote?.close();
    throw error;
  }
}

async function openOwn(
  folder: ArchiveFolder,
  location: ArchiveLocation,
  options: WritingOptions,
): Promise<Omit<OpenArchive, 'reader' | 'decisions' | 'close'>> {
  const { rebuild = false, newIdentity = false, takeOver = false } = options;
  const isMoving = await areOwnRecords(folder);
  const settled = await settleIdentity(folder, systemClock.now(), { rebuild, newIdentity });
  const mended = [...settled.mended];
  // Whoever is interrupted between the two would not find them again.
  if (isMoving) mended.push(...(await emptySpool(folder, true)));
  const catalogPlace = catalogName(folder, location);
  const isShared = location.database !== undefined && isPostgres(location.database);
  let { identity } = settled;
  let trusted = true;
  const admit = async (owner: CatalogOwner | undefined): Promise<void> => {
    // The catalog in the folder is more reliable than an identity found in records, or newly created.
    if (!isShared && settled.from !== 'file' && !newIdentity && owner) {
      const { id, name } = owner;
      identity = { ...identity, id, name };
    }
    // The catalog in the folder follows it to its new identity.
    const seen = newIdentity && !isShared ? undefined : owner;
    trusted = await admitCatalog(seen, {
      folder,
      identity,
      catalog: catalogPlace,
      isShared,
      rebuild,
      takeOver,
    });
  };
  // Whoever is refused leaves no empty catalog behind.
  if (location.database === undefined && !existsSync(folder.catalog)) await admit(undefined);
  const catalog = await openOrReplace(folder, location, rebuild, {
    admit,
    archiveId: identity.id,
    access: { kind: 'alone', ...(options.patience !== undefined && { patience: options.patience }) },
    ...(options.importance !== false && { ledger: importanceLedger }),
    patience: {
      wait: location.databaseWait ?? 0,
      tell: (sentence) => options.onWait?.(sentence),
      ...(options.signal && { signal: options.signal }),
    },
  });
  // Only from here on nobody else writes. Whoever brings files and catalog in line asks again and again what there is.
  const alone = keepListing(folder);
  try {
    if (!isMoving) mended.push(...(await emptySpool(alone, false)));
    // Before all else: a new catalog, or one whose files are being given up, knows less than the records do.
    if (rebuild) await catalog.beginRebuild();
    trusted &&= !(await isOlder(alone, catalog, { archiveId: identity.id, isShared, rebuild }));
    identity = await claimCatalog(folder, catalog, { identity, place: catalogPlace });
    const archiveId = identity.id;
    // Nobody else writes, so workers that are still listed were killed.
    if (isShared)
      await catalog.dismissWorkers(
        (await catalog.workers()).map((worker) => worker.id),
        AFTER_DEATH,
      );
    mended.push(...(await settleSwap(alone, catalog)));
    mended.push(...(await settleMerges(alone, catalog, { rebuild })));
    // Before anything is indexed: new rows follow the rules at once.
    mended.push(...(await followRules(folder, catalog, isShared)));
    const { lost, mended: inLine } = trusted
      ? await reconcile(alone, catalog, { rebuild, archiveId, isShared })
      : await keepWholeEvents(alone, catalog);
    mended.push(...inLine);
    const { id, name } = identity;
    return { folder: rebuild ? alone : folder, catalog, mended, lost, identity: { id, name } };
  } catch (error) {
    await catalog.close();
    throw error;
  }
}

async function emptyFolder(path: string): Promise<void> {
  for (const name of await readdir(path)) await rm(join(path, name), { recursive: true, force: true });
}

export function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}
