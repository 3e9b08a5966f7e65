import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Where the parts of an archive lie. */
export interface ArchiveFolder {
  readonly root: string;
  /** Record files: the truth. */
  readonly warc: string;
  /** One CDXJ per record file. */
  readonly indexes: string;
  /** Bodies on their way; emptied when the archive is opened for writing. */
  readonly tmp: string;
  /** What a crash left past the last committed record: never reported captured, never deleted. */
  readonly setAside: string;
  readonly catalog: string;
  /** Full text, where the catalog is a file; made anew whenever it is gone. */
  readonly search: string;
}

export function archiveFolder(directory: string): ArchiveFolder {
  const root = resolve(directory);
  return {
    root,
    warc: join(root, 'warc'),
    indexes: join(root, 'indexes'),
    tmp: join(root, 'tmp'),
    setAside: join(root, 'set-aside'),
    catalog: join(root, 'catalog.sqlite'),
    search: join(root, 'search.sqlite'),
  };
}

export async function createFolders(folder: ArchiveFolder): Promise<void> {
  await Promise.all([folder.warc, folder.indexes, folder.tmp].map((path) => makeFolder(path)));
}

/** The CDXJ of a record file. */
export function indexPath(folder: ArchiveFolder, recordFile: string): string {
  return join(folder.indexes, `${recordFile}.cdxj`);
}

const RECORD_FILE = /\.(?:warc|arc)(?:\.gz)?$/i;

/** Names and sizes of the record files, in order of name. */
export async function recordFiles(folder: ArchiveFolder): Promise<readonly { file: string; size: number }[]> {
  let names: string[];
  try {
    names = await readdir(folder.warc);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const files = names.filter((name) => RECORD_FILE.test(name)).sort();
  return Promise.all(files.map(async (file) => ({ file, size: (await stat(join(folder.warc, file))).size })));
}
