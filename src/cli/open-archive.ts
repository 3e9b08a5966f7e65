import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CatalogFault } from '../catalog/faults.ts';
import { openCatalog } from '../catalog/open.ts';
import type { Catalog } from '../ports/catalog.ts';
import {
  type ArchiveFolder,
  archiveFolder,
  createFolders,
  indexPath,
  recordFiles,
} from '../storage/archive-folder.ts';
import { lockArchive } from '../storage/archive-lock.ts';
import { makeFolder } from '../storage/make-folder.ts';
import { compareFiles, setAsideTail } from '../storage/set-aside.ts';
import { checkTail } from '../warc/tail.ts';
import { noteKeys } from './certificate-files.ts';
import { UserError } from './exit-codes.ts';
import { indexFiles, isOurs, writeIndex } from './index-files.ts';

export interface ArchiveLocation {
  /** Folder of the archive. */
  readonly archive: string;
  /** PostgreSQL URL of the catalog; SQLite in the folder otherwise. */
  readonly database?: string;
}

export interface OpenArchive {
  readonly folder: ArchiveFolder;
  readonly catalog: Catalog;
  /** What opening had to mend, in sentences. */
  readonly mended: readonly string[];
  close(): Promise<void>;
}

/** Opens an archive for reading; works beside a writer. */
export async function openForReading(location: ArchiveLocation): Promise<OpenArchive> {
  const folder = archiveFolder(location.archive);
  const files = await recordFiles(folder);
  const catalog = await openCatalog(location.database ?? folder.catalog, { readonly: true }).catch(
    (error: unknown) => {
      if (files.length === 0)
        throw new UserError(`there is no archive at ${folder.root}: make one with 'daguerre archive <url>'`);
      if (location.database === undefined && error instanceof CatalogFault && error.kind === 'unreachable') {
        throw new UserError(
          `the catalog ${folder.catalog} is gone: 'daguerre reindex' rebuilds it from the records`,
        );
      }
      throw error;
    },
  );
  return { folder, catalog, mended: [], close: () => catalog.close() };
}

/**
 * Opens an archive for writing: takes the lock, then brings record files and catalog in line. What a crash
 * left past the last commit was never reported captured: it is set aside, and the crawl asks for it again.
 * Record files that the catalog has never heard of are indexed, so copying a WARC in is enough to add it.
 * A rebuild indexes all of them itself, and moves a damaged catalog away.
 */
export async function openForWriting(
  location: ArchiveLocation,
  command: string,
  { rebuild = false }: { readonly rebuild?: boolean } = {},
): Promise<OpenArchive> {
  const folder = archiveFolder(location.archive);
  await makeFolder(folder.root);
  const lock = await lockArchive(folder.root, `'daguerre ${command}', process ${process.pid}`);
  try {
    await createFolders(folder);
    await emptyFolder(folder.tmp);
    const catalog = await (rebuild
      ? openOrReplace(location, folder)
      : openCatalog(location.database ?? folder.catalog));
    try {
      const mended = await reconcile(folder, catalog, !rebuild);
      return {
        folder,
        catalog,
        mended,
        async close() {
          await catalog.close();
          await lock.release();
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

/** A SQLite catalog that cannot be read is moved away; a new one takes its place. */
async function openOrReplace({ database }: ArchiveLocation, folder: ArchiveFolder): Promise<Catalog> {
  try {
    return await openCatalog(database ?? folder.catalog);
  } catch (error) {
    if (database !== undefined || !(error instanceof CatalogFault) || error.kind !== 'damaged') throw error;
    for (const ending of ['', '-wal', '-shm']) {
      const path = `${folder.catalog}${ending}`;
      await rename(path, `${path}.damaged`).catch(() => {});
    }
    return openCatalog(folder.catalog);
  }
}

async function reconcile(
  folder: ArchiveFolder,
  catalog: Catalog,
  adopt: boolean,
): Promise<readonly string[]> {
  const mended: string[] = [];
  const unfinished = new Set(
    (await catalog.crawls()).filter(({ state }) => state !== 'finished').map(({ id }) => id),
  );
  const states = compareFiles(await recordFiles(folder), await catalog.warcFiles());
  const unknown: string[] = [];
  for (const state of states) {
    switch (state.kind) {
      case 'whole':
        break;
      case 'longer':
        await setAsideTail(folder, state.file, state.known);
        await mendIndex(folder, state.file);
        mended.push(`${state.file}: ${state.size - state.known} bytes past the last commit set aside`);
        break;
      case 'shorter':
      case 'missing': {
        const size = state.kind === 'shorter' ? state.size : 0;
        const end = state.kind === 'shorter' ? await wholeUpTo(folder, state.file) : 0;
        // First the file: a crash before the catalog forgets leaves a file that is shorter still.
        if (end < size) await setAsideTail(folder, state.file, end);
        await mendIndex(folder, state.file);
        const lost = await catalog.forgetTail(state.file, end);
        mended.push(
          `${state.file}: ${state.known - size} bytes are gone from disk; ${lost} captures forgotten`,
        );
        break;
      }
      case 'unknown': {
        const crawlId = crawlIdOf(state.file);
        if (crawlId !== undefined && unfinished.has(crawlId)) {
          await setAsideTail(folder, state.file, 0);
          await mendIndex(folder, state.file);
          mended.push(`${state.file}: never committed, set aside`);
        } else unknown.push(state.file);
      }
    }
  }
  // A crawl that was killed never closed its file, and the index is written then.
  for (const { file } of await recordFiles(folder)) {
    if (!unknown.includes(file) && !existsSync(indexPath(folder, file))) await writeIndex(folder, file);
  }
  if (adopt && unknown.length > 0) {
    await indexFiles(folder, catalog, unknown);
    await noteKeys(folder, catalog, unknown);
    mended.push(`${unknown.length} record files that the catalog did not know were indexed`);
  }
  return mended;
}

/** Where the last event ends that is whole: the cut may go through a record. */
async function wholeUpTo(folder: ArchiveFolder, file: string): Promise<number> {
  const path = join(folder.warc, file);
  const { eventEnd, recordEnd } = await checkTail(path, 0);
  return (await isOurs(path)) ? eventEnd : recordEnd;
}

/** An index that names records which are no longer in the file is written anew. */
async function mendIndex(folder: ArchiveFolder, file: string): Promise<void> {
  const index = indexPath(folder, file);
  if (!existsSync(index)) return;
  if (existsSync(join(folder.warc, file))) await writeIndex(folder, file);
  else await rm(index);
}

/** `<collection>-<crawl>-<timestamp>-<sequence>.warc.gz` */
function crawlIdOf(file: string): number | undefined {
  const match = /-(\d+)-\d{14}-\d+\.warc\.gz$/.exec(file);
  return match ? Number(match[1]) : undefined;
}

async function emptyFolder(path: string): Promise<void> {
  for (const name of await readdir(path)) await rm(join(path, name), { recursive: true, force: true });
}
