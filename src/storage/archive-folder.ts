import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { RemoteRecords } from '../ports/remote-records.ts';
import { makeFolder } from './make-folder.ts';

/** Where the parts of an archive are. */
export interface ArchiveFolder {
  readonly root: string;
  /** Record files, which are the truth; where `remote` has them, copies that may be removed at any time. */
  readonly warc: string;
  /** Record files on their way to `remote`. */
  readonly spool: string;
  /** The object store that keeps the record files, where it is not this folder. */
  readonly remote?: RemoteRecords;
  /** One CDXJ per record file. */
  readonly indexes: string;
  /** Bodies in transit; emptied when the archive is opened for writing. */
  readonly tmp: string;
  /** What a crash left past the last committed record: never reported captured, never deleted. */
  readonly setAside: string;
  readonly catalog: string;
  /** Full text, where the catalog is a file; rebuilt whenever it is missing. */
  readonly search: string;
}

export function archiveFolder(directory: string, remote?: RemoteRecords): ArchiveFolder {
  const root = resolve(directory);
  return {
    root,
    warc: join(root, 'warc'),
    spool: join(root, 'spool'),
    ...(remote && { remote }),
    indexes: join(root, 'indexes'),
    tmp: join(root, 'tmp'),
    setAside: join(root, 'set-aside'),
    catalog: join(root, 'catalog.sqlite'),
    search: join(root, 'search.sqlite'),
  };
}

export async function createFolders(folder: ArchiveFolder): Promise<void> {
  const own = folder.remote ? folder.spool : folder.indexes;
  await Promise.all([folder.warc, own, folder.tmp].map((path) => makeFolder(path)));
}

/** The CDXJ of a record file. */
export function indexPath(folder: ArchiveFolder, recordFile: string): string {
  return join(folder.indexes, `${recordFile}.cdxj`);
}

export const RECORD_FILE = /\.(?:warc|arc)(?:\.gz)?$/i;

/** Names and sizes of the record files, by name, from where they are kept; files on their way there are not included. */
export async function recordFiles(folder: ArchiveFolder): Promise<readonly { file: string; size: number }[]> {
  return folder.remote ? folder.remote.list() : filesIn(folder.warc);
}

/** Record files in a folder; none where it does not exist. */
export async function filesIn(path: string): Promise<readonly { file: string; size: number }[]> {
  let names: string[];
  try {
    names = await readdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const files = names.filter((name) => RECORD_FILE.test(name)).sort();
  return Promise.all(files.map(async (file) => ({ file, size: (await stat(join(path, file))).size })));
}
