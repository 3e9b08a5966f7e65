import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Crawl } from '../../model/crawl.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { learnAll } from '../../stages/learn-patterns.ts';
import { type ArchiveFolder, indexPath, recordFiles } from '../../storage/archive-folder.ts';
import { compareFiles, setAsideTail } from '../../storage/set-aside.ts';
import { archiveOfFile } from '../../warc/archive-of-file.ts';
import { timestamp14 } from '../../warc/cdxj.ts';
import { checkTail } from '../../warc/tail.ts';
import { noteKeys } from '../certificate-files.ts';
import { holidays } from '../holidays.ts';
import { bySeverity, indexFiles, isOurs, writeIndex } from './index-files.ts';

/**
 * Brings record files and catalog in line. What a crash left past the last commit was never reported captured: it is
 * set aside, and the crawl asks for it again. Record files that the catalog has never heard of are indexed; so are
 * those whose indexing began and did not end.
 */
export async function reconcile(
  folder: ArchiveFolder,
  catalog: Catalog,
  { adopt, archiveId }: { readonly adopt: boolean; readonly archiveId: string },
): Promise<readonly string[]> {
  const mended: string[] = [];
  const unfinished = (await catalog.crawls()).filter(({ state }) => state !== 'finished');
  const onDisk = await recordFiles(folder);
  const toIndex = new Set(await catalog.filesToIndex());
  const states = compareFiles(onDisk, await catalog.warcFiles());
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
        const { file } = state;
        if (!toIndex.has(file) && (await neverCommitted(folder, file, archiveId, unfinished))) {
          await setAsideTail(folder, state.file, 0);
          await mendIndex(folder, state.file);
          mended.push(`${state.file}: never committed, set aside`);
        } else unknown.push(state.file);
      }
    }
  }
  for (const file of toIndex) {
    if (onDisk.some((one) => one.file === file)) continue;
    const lost = await catalog.forgetTail(file, 0);
    if (lost > 0) mended.push(`${file}: the file is gone from disk; ${lost} captures forgotten`);
  }
  // A crawl that was killed never closed its file, and the index is written then.
  for (const { file } of await recordFiles(folder)) {
    if (!unknown.includes(file) && !existsSync(indexPath(folder, file))) await writeIndex(folder, file);
  }
  if (adopt && unknown.length > 0) {
    const { problems } = await indexFiles(folder, catalog, unknown);
    const { errors, warnings } = bySeverity(problems);
    if (errors.length > 0)
      mended.push(`${errors.length} records cannot be understood: 'daguerre reindex' names them`);
    if (warnings.length > 0)
      mended.push(`${warnings.length} records depart from the standard: 'daguerre reindex' names them`);
    await noteKeys(folder, catalog, unknown);
    mended.push(`${unknown.length} record files that the catalog did not know were indexed`);
    // A rebuild that was killed had forgotten what was learnt as well.
    if (unknown.some((file) => toIndex.has(file))) await learnAll({ catalog, holidays });
  }
  return mended;
}

/**
 * For a catalog that is not the one the records were written with: its lengths say nothing of what was committed.
 * Only what is no whole event is set aside; the caller indexes all the rest.
 */
export async function keepWholeEvents(folder: ArchiveFolder): Promise<readonly string[]> {
  const mended: string[] = [];
  for (const { file, size } of await recordFiles(folder)) {
    const end = await wholeUpTo(folder, file);
    if (end === size || end === 0) continue;
    await setAsideTail(folder, file, end);
    mended.push(`${file}: ${size - end} bytes that are no whole record set aside`);
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

/**
 * Whether a crash came before the first commit of a file: it is of a crawl that goes on. Numbers of crawls begin anew
 * with a new catalog, and files of other archives may be copied in, so the number alone proves nothing.
 */
async function neverCommitted(
  folder: ArchiveFolder,
  file: string,
  archiveId: string,
  unfinished: readonly Crawl[],
): Promise<boolean> {
  // <collection>-<crawl>-<timestamp>-<sequence>.warc.gz
  const [, number, timestamp = ''] = /-(\d+)-(\d{14})-\d+\.warc\.gz$/.exec(file) ?? [];
  const crawl = unfinished.find(({ id }) => id === Number(number));
  if (!crawl || timestamp < timestamp14(crawl.startedAt)) return false;
  const origin = await archiveOfFile(join(folder.warc, file));
  return origin === undefined || origin.id === archiveId;
}
