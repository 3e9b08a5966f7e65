import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StayReason } from '../../science/retention/choose-versions.ts';
import { isAnalysisFile } from '../../storage/analysis-files.ts';
import { archiveOfFile } from '../../warc/archive-of-file.ts';
import { isJournal } from '../journal.ts';
import { isOurs } from '../open/index-files.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { lastWritten } from '../open/reconcile.ts';

export interface RecordFiles {
  /** All that the catalog knows, in the order of their names. */
  readonly all: readonly string[];
  readonly bytes: number;
  /** Why a file is left as it is; absent of those that may be rewritten. */
  readonly left: ReadonlyMap<string, StayReason>;
}

/**
 * Which record files may be rewritten: closed ones that this archive wrote itself. Journals, and what analyses found later, are
 * left alone, and so is whatever a crawl that has not ended wrote to last.
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
  let bytes = 0;
  for (const { file, length } of known) {
    const path = join(folder.warc, file);
    const { size } = await stat(path);
    bytes += size;
    if (busy.has(file) || open.has(file) || size !== length) left.set(file, 'being-written');
    else if (isJournal(file) || isAnalysisFile(file) || !(await isOurs(path))) left.set(file, 'imported');
    else if (!imported && (await archiveOfFile(path))?.id !== identity?.id) left.set(file, 'imported');
  }
  return { all: known.map(({ file }) => file), bytes, left };
}
