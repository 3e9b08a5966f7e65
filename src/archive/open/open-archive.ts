import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { CatalogFault } from '../../catalog/faults.ts';
import { isPostgres, openCatalog } from '../../catalog/open.ts';
import type { ArchiveIdentity, CatalogOwner } from '../../model/archive-identity.ts';
import type { Catalog, OwnerCatalog } from '../../ports/catalog.ts';
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
import {
  archiveIdentity,
  type IdentityFile,
  readIdentity,
  storeIdentity,
} from '../../storage/identity-file.ts';
import { makeFolder } from '../../storage/make-folder.ts';
import { emptySpool } from '../../storage/record-copies.ts';
import { removeSocket } from '../../storage/writer-socket.ts';
import { type DecisionBook, openDecisionBook } from '../decisions/decision-book.ts';
import { followRules } from '../sites/stored-rules.ts';
import { systemClock } from '../system-clock.ts';
import { UserError } from '../user-error.ts';
import { admitCatalog, admitForReading } from './admit-catalog.ts';
import { settleIdentity } from './archive-identity.ts';
import { followingReader } from './following-reader.ts';
import type { LostRecords } from './lost-records.ts';
import { noArchiveIn, openFolder, openFolderReader } from './open-folder.ts';
import { openOrReplace } from './open-or-replace.ts';
import { keepWholeEvents, reconcile } from './reconcile.ts';
import { settleSwap } from './settle-swap.ts';
import { refuseRebuilding } from './unfinished-rebuild.ts';

export { archiveFolder };

export interface ArchiveLocation {
  /** Folder of the archive. */
  readonly archive: string;
  /** PostgreSQL URL of the catalog; SQLite in the folder otherwise. */
  readonly database?: string;
  /** Milliseconds to wait for a database that went away while it is written to. */
  readonly databaseWait?: number;
  /** `s3://bucket/prefix` that keeps the record files; the folder otherwise. */
  readonly storage?: string;
  /** Milliseconds to wait for an object store that went away. */
  readonly storageWait?: number;
  /** Bytes of copies of record files that the folder may hold then. */
  readonly storageCache?: number;
}

export interface OpenArchive {
  readonly folder: ArchiveFolder;
  readonly catalog: Catalog;
  readonly reader: RecordReader;
  /** Absent while a folder of an earlier Daguerre is only read. */
  readonly identity?: ArchiveIdentity;
  /** What people have decided; read when it is first asked for. */
  decisions(): Promise<DecisionBook>;
  /** What opening had to mend, in sentences. */
  readonly mended: readonly string[];
  /** Records that a rebuild went on without. */
  readonly lost: readonly LostRecords[];
  close(): Promise<void>;
}

export interface WritingOptions {
  /** The caller indexes every record file anew; a damaged catalog is moved away. */
  readonly rebuild?: boolean;
  /** The folder becomes an archive of its own, though it is a copy of one. */
  readonly newIdentity?: boolean;
  /** The catalog follows this folder, though another copy of it wrote last. */
  readonly takeOver?: boolean;
  /** Whether on-line importance is kept; yes, unless told otherwise. */
  readonly importance?: boolean;
  /** Ends the wait for a database that went away. */
  readonly signal?: AbortSignal;
  /** Told what is waited for. */
  readonly onWait?: (sentence: string) => void;
  /** Milliseconds to wait for whoever writes to a shared catalog. */
  readonly patience?: number;
}

/** Milliseconds that hosts are left alone which workers asked when they died: their own pauses died with them. */
const AFTER_DEATH = 5_000;

const importanceLedger: ImportanceLedger = { open: (stored) => new CashBook(stored) };

export const noArchive = (root: string): string =>
  `there is no archive at ${root}: make one with 'daguerre archive <url>'`;

/** Opens an archive for reading; works beside a writer. Makes nothing: no folder, no catalog, no schema. */
export async function openForReading(
  location: ArchiveLocation,
  { check = false }: { readonly check?: boolean } = {},
): Promise<OpenArchive> {
  const folder = await openFolder(location);
  // Beside an object store the folder is but a cache.
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
        // What was read since may lack what the rebuild has not brought back yet.
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
      folder,
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
    await lock.release();
    folder.remote?.close();
    throw error;
  }
}

async function openOwn(
  folder: ArchiveFolder,
  location: ArchiveLocation,
  options: WritingOptions,
): Promise<Omit<OpenArchive, 'folder' | 'reader' | 'decisions' | 'close'>> {
  const { rebuild = false, newIdentity = false, takeOver = false } = options;
  const isMoving = (await readIdentity(folder.root).catch(() => undefined))?.storage === undefined;
  const settled = await settleIdentity(folder, systemClock.now(), { rebuild, newIdentity });
  const mended = [...settled.mended, ...(await emptySpool(folder, isMoving))];
  const isShared = location.database !== undefined && isPostgres(location.database);
  let { identity } = settled;
  let trusted = true;
  const admit = async (owner: CatalogOwner | undefined): Promise<void> => {
    // The catalog in the folder knows better than what was found in records, or made up.
    if (!isShared && settled.from !== 'file' && !newIdentity && owner) {
      const { id, name } = owner;
      identity = { ...identity, id, name };
    }
    // The catalog in the folder goes with it to its new identity.
    const seen = newIdentity && !isShared ? undefined : owner;
    trusted = await admitCatalog(seen, { folder, identity, isShared, rebuild, takeOver });
  };
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
  try {
    // Before all else: a new catalog, or one whose files are being given up, tells less than the records do.
    if (rebuild) await catalog.beginRebuild();
    identity = await claimCatalog(folder, catalog, identity);
    const archiveId = identity.id;
    // Nobody else writes: workers that are still listed were killed.
    if (isShared)
      await catalog.dismissWorkers(
        (await catalog.workers()).map((worker) => worker.id),
        AFTER_DEATH,
      );
    mended.push(...(await settleSwap(folder, catalog)));
    // Before anything is indexed: new rows follow the rules at once.
    mended.push(...(await followRules(folder.root, catalog)));
    const { lost, mended: inLine } = trusted
      ? await reconcile(folder, catalog, { rebuild, archiveId })
      : await keepWholeEvents(folder, catalog);
    mended.push(...inLine);
    const { id, name } = identity;
    return { catalog, mended, lost, identity: { id, name } };
  } catch (error) {
    await catalog.close();
    throw error;
  }
}

/** In three steps, see identity-file.ts: a crash between any two leaves a folder and a catalog that know each other. */
async function claimCatalog(
  folder: ArchiveFolder,
  catalog: OwnerCatalog,
  identity: IdentityFile,
): Promise<IdentityFile> {
  const before = (await catalog.owner())?.opening;
  const opening = randomUUID();
  const { opening: _o, nextOpening: _n, ...rest } = identity;
  await storeIdentity(folder, {
    ...rest,
    ...(before !== undefined && { opening: before }),
    nextOpening: opening,
  });
  const { id, name } = identity;
  const openedAt = systemClock.now();
  await catalog.claim({ id, name, opening, folder: folder.root, host: hostname(), openedAt });
  const next = { ...rest, opening };
  await storeIdentity(folder, next);
  return next;
}

async function emptyFolder(path: string): Promise<void> {
  for (const name of await readdir(path)) await rm(join(path, name), { recursive: true, force: true });
}

function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open();
    return opened;
  };
}
