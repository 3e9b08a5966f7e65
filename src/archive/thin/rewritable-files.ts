import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StayReason } from '../../science/retention/choose-versions.ts';
import { isAnalysisFile } from '../../storage/analysis-files.ts';
import { type ArchiveFolder, recordFiles } from '../../storage/archive-folder.ts';
import { archiveOfFile } from '../../warc/archive-of-file.ts';
import { isJournal } from '../journal.ts';
import { recordFileGone } from '../open/gone-while-reading.ts';
import { isOurs } from '../open/index-files.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { lastWritten } from '../open/reconcile.ts';

export interface RecordFiles {
  /** All that the catalog knows, by name. */
  readonly all: readonly string[];
  readonly bytes: number;
  /** Why a file is left as it is; files that may be rewritten are not in it. */
  readonly left: ReadonlyMap<string, StayReason>;
}

/**
 * Which record files may be rewritten: closed ones that this archive wrote itself. Journals, and results of later
 * analyses, are left alone, and so is whatever an unfinished crawl wrote to last.
 */
export async function rewritableFiles(
  { catalog, folder, identity }: OpenArchive,
  {
    imported = false,
    busy = new Set(),
  }: { readonly imported?: boolean; readonly busy?: ReadonlySet<string> },
): Promise<RecordFiles> {
  const known = await catalog.warcFiles();
  const unfinished = (await catalog.crawls()).filter(({ state }) => state !== 'finished');
  const open = lastWritten(known, unfinished);
  const left = new Map<string, StayReason>();
  const isWritten = async (path: string): Promise<boolean> =>
    (await isOurs(path)) && (imported || (await archiveOfFile(path))?.id === identity?.id);
  let bytes = 0;
  const sizes = new Map((await recordFiles(folder)).map(({ file, size }) => [file, size]));
  for (const { file, length } of known) {
    const size = sizes.get(file);
    if (size === undefined) throw recordFileGone(file);
    bytes += size;
    if (busy.has(file) || open.has(file) || size !== length) left.set(file, 'being-written');
    else if (isJournal(file) || isAnalysisFile(file)) left.set(file, 'imported');
    else if (!(await withHead(folder, file, isWritten))) left.set(file, 'imported');
  }
  return { all: known.map(({ file }) => file), bytes, left };
}

/** Enough bytes for the first record of a file of ours, which says who wrote it. */
const HEAD = 1 << 16;

/** The file itself if it is here; just its beginning if only the object store has it. */
async function withHead<T>(
  { remote, warc }: ArchiveFolder,
  file: string,
  read: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(warc, file);
  if (!remote || existsSync(path)) return read(path);
  const head = join(tmpdir(), `daguerre-${randomUUID()}-${file}`);
  try {
    await writeFile(head, await remote.range(file, 0, HEAD));
    return await read(head);
  } finally {
    await rm(head, { force: true });
  }
}
