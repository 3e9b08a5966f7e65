import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { isAnalysisFile } from '../../storage/analysis-files.ts';
import { type ArchiveFolder, indexPath } from '../../storage/archive-folder.ts';
import { localFile } from '../../storage/record-copies.ts';
import { setAsideTail } from '../../storage/set-aside.ts';
import { checkTail } from '../../warc/tail.ts';
import { isOurs } from './index-files.ts';

/**
 * Whether what lies past the length that the catalog knows is what a crash left: it was never reported captured, and
 * the crawl asks for it again. `lastWritten` are the files that unfinished crawls wrote to last.
 *
 * A file gets its index when it is closed, and nobody writes to a closed one; `reindex` and whoever opens the archive after a
 * crash write it for the others. So a file with an index was shorter once, and somebody put it back: its records are good.
 */
export function isCrashTail(folder: ArchiveFolder, file: string, lastWritten: ReadonlySet<string>): boolean {
  return lastWritten.has(file) && !existsSync(indexPath(folder, file));
}

/** Of a file that grew since the catalog read it: bytes at its end that are no record. Whole records stay. */
export async function setAsideTorn(
  folder: ArchiveFolder,
  { file, known, size }: { readonly file: string; readonly known: number; readonly size: number },
): Promise<readonly string[]> {
  const { recordEnd, eventEnd } = await checkTail(await localFile(folder, file), 0);
  // Half an analysis is none: the capture is analysed again.
  const end = Math.max(known, isAnalysisFile(file) ? eventEnd : recordEnd);
  if (end >= size) return [];
  const aside = await setAsideTail(folder, file, end);
  return [
    `${file}: ${size - end} bytes at its end that are no whole record set aside, in ${relative(folder.root, aside)}`,
  ];
}

/** Where the last event ends that is whole: the cut may go through a record. */
export async function wholeUpTo(folder: ArchiveFolder, file: string): Promise<number> {
  const path = await localFile(folder, file);
  const { eventEnd, recordEnd } = await checkTail(path, 0);
  return (await isOurs(path)) ? eventEnd : recordEnd;
}
