import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { Crawl } from '../../model/crawl.ts';
import type { KnownFile } from '../../ports/catalog.ts';
import { isAnalysisFile } from '../../storage/analysis-files.ts';
import { type ArchiveFolder, indexPath } from '../../storage/archive-folder.ts';
import { localFile } from '../../storage/record-copies.ts';
import { setAsideTail } from '../../storage/set-aside.ts';
import { archiveOfFile } from '../../warc/archive-of-file.ts';
import { timestamp14 } from '../../warc/cdxj.ts';
import { checkTail } from '../../warc/tail.ts';
import { isOurs } from './index-files.ts';

/**
 * Whether what lies past the length that the catalog knows was left by a crash: it was never reported captured, and the
 * crawl requests it again. `mayHaveTails` are the files that somebody may have been writing to.
 *
 * A file gets its index when it is closed, and nobody writes to a closed one; `reindex`, or whoever opens the archive
 * after a crash, writes the index for the others. So an indexed file was cut at some time, and somebody put it back:
 * its records are good.
 */
export function isCrashTail(folder: ArchiveFolder, file: string, mayHaveTails: ReadonlySet<string>): boolean {
  return mayHaveTails.has(file) && !existsSync(indexPath(folder, file));
}

/** Sets aside what is not a record at the end of a file that grew since the catalog read it. Whole records stay. */
export async function setAsideTorn(
  folder: ArchiveFolder,
  { file, known, size }: { readonly file: string; readonly known: number; readonly size: number },
): Promise<readonly string[]> {
  const { recordEnd, eventEnd } = await checkTail(await localFile(folder, file), 0);
  // Half an analysis is useless: the capture is analysed again.
  const end = Math.max(known, isAnalysisFile(file) ? eventEnd : recordEnd);
  if (end >= size) return [];
  const aside = await setAsideTail(folder, file, end);
  return [
    `${file}: ${size - end} bytes at its end that are no whole record set aside, in ${relative(folder.root, aside)}`,
  ];
}

/** Where the last whole event ends: the cut may go through a record. */
export async function wholeUpTo(folder: ArchiveFolder, file: string): Promise<number> {
  const path = await localFile(folder, file);
  const { eventEnd, recordEnd } = await checkTail(path, 0);
  return (await isOurs(path)) ? eventEnd : recordEnd;
}

/**
 * For an archive that several processes write to: one of them dies, another finishes its crawl, and nobody is alone
 * with the archive until then. So any file may end in something never committed, whatever became of its crawl.
 */
export function writtenByCrawls(known: readonly KnownFile[]): ReadonlySet<string> {
  return new Set(known.filter(({ crawlId }) => crawlId !== undefined).map(({ file }) => file));
}

/**
 * Whether a crash came before a file's first commit: it belongs to a crawl that is resumed, or that another process
 * finished. Crawl numbers restart with a new catalog, and files of other archives may be copied in, so the number alone
 * proves nothing; and a file that was closed, and so has an index, is not the result of a crash.
 */
export async function neverCommitted(
  folder: ArchiveFolder,
  file: string,
  archiveId: string,
  crawls: readonly Crawl[],
): Promise<boolean> {
  // <collection>-<crawl>-<timestamp>-<sequence>.warc.gz
  const [, number, timestamp = ''] = /-(\d+)-(\d{14})-\d+\.warc\.gz$/.exec(file) ?? [];
  const crawl = crawls.find(({ id }) => id === Number(number));
  if (!crawl || timestamp < timestamp14(crawl.startedAt)) return false;
  if (crawl.state === 'finished' && existsSync(indexPath(folder, file))) return false;
  const origin = await archiveOfFile(await localFile(folder, file));
  return origin === undefined || origin.id === archiveId;
}
