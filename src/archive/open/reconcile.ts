import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Crawl } from '../../model/crawl.ts';
import type {
  CaptureCatalog,
  ImportanceCatalog,
  KnownFile,
  MergingCatalog,
  PageCatalog,
  PatternCatalog,
  PerimeterCatalog,
  RecoveryCatalog,
  SiteCatalog,
} from '../../ports/catalog.ts';
import { learnAll } from '../../stages/learn-patterns.ts';
import { settleImportance } from '../../stages/settle-importance.ts';
import { isAnalysisFile } from '../../storage/analysis-files.ts';
import { type ArchiveFolder, indexPath, recordFiles } from '../../storage/archive-folder.ts';
import { hasFile } from '../../storage/record-copies.ts';
import { compareFiles, type FileState, setAsideTail } from '../../storage/set-aside.ts';
import { noteKeys } from '../certificate-files.ts';
import { holidays } from '../holidays.ts';
import { filesNotReplaced } from '../merge/replaced-files.ts';
import { bySeverity, type IndexedCatalog, indexFiles, writeIndex } from './index-files.ts';
import {
  describeLoss,
  type GoneFile,
  goneFiles,
  indexedAndGone,
  type LostRecords,
  writeLosses,
} from './lost-records.ts';
import { movedFiles } from './moved-files.ts';
import {
  foundAgain,
  type ReplacedFile,
  replacedFiles,
  replacedText,
  withReplaced,
} from './replaced-files.ts';
import { isCrashTail, neverCommitted, setAsideTorn, wholeUpTo, writtenByCrawls } from './tails.ts';

/** Patterns and importance are also learnt from files that get indexed on the way. */
type ReconciledCatalog = RecoveryCatalog &
  Pick<MergingCatalog, 'replacedFiles'> &
  IndexedCatalog &
  CaptureCatalog &
  PageCatalog &
  PatternCatalog &
  ImportanceCatalog &
  Pick<PerimeterCatalog, 'perimeterUrls'> &
  Pick<SiteCatalog, 'siteBounds'>;

export interface Reconciled {
  /** What was mended, in sentences. */
  readonly mended: readonly string[];
  /** Records that are gone for good; only a rebuild goes on without them. */
  readonly lost: readonly LostRecords[];
}

/**
 * Brings record files and catalog in line. What a crash left past the last commit was never reported captured: it is
 * set aside, and the crawl requests it again. Record files that the catalog does not know are indexed; so are those
 * whose indexing did not finish, and those that were lost, or cut, and came back.
 *
 * Missing records that no crash explains stop everything except a rebuild: a disk may not be mounted.
 */
export async function reconcile(
  folder: ArchiveFolder,
  catalog: ReconciledCatalog,
  {
    rebuild,
    archiveId,
    isShared = false,
  }: { readonly rebuild: boolean; readonly archiveId: string; readonly isShared?: boolean },
): Promise<Reconciled> {
  const mended: string[] = [];
  const crawls = await catalog.crawls();
  const unfinished = crawls.filter(({ state }) => state !== 'finished');
  const onDisk = await filesNotReplaced(folder, catalog);
  const toIndex = new Set([...(await catalog.filesToIndex()), ...(await catalog.lostFiles())]);
  const known = await catalog.warcFiles();
  const tails = lastWritten(known, unfinished);
  const mayEndUncommitted = isShared ? writtenByCrawls(known) : tails;
  const states = await withReplaced(folder, catalog, compareFiles(onDisk, known), tails);
  const replaced = states.filter((state) => state.kind === 'replaced');
  if (replaced.length > 0 && !rebuild) throw replacedFiles(folder, replaced);
  const gone = await goneOf(folder, catalog, states, tails);
  if (gone.length > 0 && !rebuild) throw goneFiles(folder, gone);
  const unknown: string[] = [];
  const returned: string[] = [];
  const cut: LostRecords[] = [];
  for (const state of states) {
    switch (state.kind) {
      case 'whole':
      case 'missing':
        break;
      case 'replaced': {
        const { file, size: left } = state;
        const found = await foundAgain(folder, catalog, file);
        const { missing: records } = found;
        if (records.length > 0) cut.push({ file, bytes: 0, left, captures: records.length, records });
        mended.push(replacedText(file, found));
        break;
      }
      case 'longer':
        if (isCrashTail(folder, state.file, mayEndUncommitted)) {
          const aside = await setAsideTail(folder, state.file, state.known);
          const bytes = `${state.size - state.known} bytes past the last commit set aside`;
          mended.push(`${state.file}: ${bytes}, in ${relative(folder.root, aside)}`);
        } else {
          mended.push(...(await setAsideTorn(folder, state)));
          returned.push(state.file);
        }
        break;
      case 'shorter': {
        if (!tails.has(state.file)) break;
        const end = await cutToEvent(folder, state);
        const forgotten = await catalog.forgetTail(state.file, end);
        mended.push(
          `${state.file}: ${state.known - state.size} bytes are gone from disk; ${forgotten} captures are asked for again`,
        );
        break;
      }
      case 'unknown': {
        const { file } = state;
        if (
          !toIndex.has(file) &&
          (await neverCommitted(folder, file, archiveId, isShared ? crawls : unfinished))
        ) {
          const aside = await setAsideTail(folder, file, 0);
          await mendIndex(folder, file);
          mended.push(`${file}: never committed, set aside in ${relative(folder.root, aside)}`);
        } else {
          // A crash before the first commit: whatever was written whole is good.
          if (isAnalysisFile(file)) mended.push(...(await setAsideTorn(folder, { ...state, known: 0 })));
          if (await hasFile(folder, file)) unknown.push(file);
        }
      }
    }
  }
  unknown.push(...returned);
  // The catalog was lost, and this command recreates it without having been asked to.
  const isMadeAnew = !rebuild && known.length + toIndex.size === 0 && unknown.length > 0;
  const wasInterrupted = !rebuild && (await catalog.isRebuilding());
  if (isMadeAnew) await catalog.beginRebuild();
  const unfinishedRebuild = isMadeAnew || wasInterrupted;
  await writeLosses(folder, cut);
  const moved = await movedFiles(folder, catalog, gone, unknown);
  for (const file of moved) mended.push(`${file}: is not there, and all its captures are in other files`);
  const lost = [...cut, ...(await giveUp(folder, catalog, gone, moved))];
  // A crawl that was killed never closed its file, and the index is written at closing.
  for (const { file } of folder.remote ? [] : await recordFiles(folder)) {
    if (!unknown.includes(file) && !existsSync(indexPath(folder, file))) await writeIndex(folder, file);
  }
  if (!rebuild && unknown.length > 0) {
    const { problems } = await indexFiles(folder, catalog, unknown);
    const { errors, warnings } = bySeverity(problems);
    if (errors.length > 0)
      mended.push(`${errors.length} records cannot be understood: 'daguerre reindex' names them`);
    if (warnings.length > 0)
      mended.push(`${warnings.length} records depart from the standard: 'daguerre reindex' names them`);
    await noteKeys(folder, catalog, unknown);
    mended.push(`${unknown.length} record files that the catalog did not know, or not whole, were indexed`);
  }
  // A killed rebuild had also forgotten what was learnt; one that went on without records never learnt it.
  if (unfinishedRebuild || (!rebuild && (returned.length > 0 || unknown.some((file) => toIndex.has(file))))) {
    await learnAll({ catalog, holidays });
    await settleImportance(catalog);
  }
  if (unfinishedRebuild) {
    await catalog.endRebuild();
    if (wasInterrupted)
      mended.push('a rebuild of the catalog that had been interrupted was brought to its end');
  }
  return { mended, lost };
}

/** Files whose end a power cut may have taken: the last ones that unfinished crawls wrote to. */
export function lastWritten(known: readonly KnownFile[], unfinished: readonly Crawl[]): ReadonlySet<string> {
  const order = (file: string): string => /\d{14}-\d+(?=\.warc)/.exec(file)?.[0] ?? '';
  return new Set(
    unfinished.flatMap(({ id }) => {
      const files = known.filter(({ crawlId }) => crawlId === id).map(({ file }) => file);
      return files.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).slice(-1);
    }),
  );
}

/** Missing files, by the catalog and by the indexes, since the catalog may be new. */
async function goneOf(
  folder: ArchiveFolder,
  catalog: RecoveryCatalog,
  states: readonly (FileState | ReplacedFile)[],
  tails: ReadonlySet<string>,
): Promise<readonly GoneFile[]> {
  const gone = states.filter(
    (state): state is GoneFile =>
      state.kind === 'missing' || (state.kind === 'shorter' && !tails.has(state.file)),
  );
  // A rebuild began and did not end, and meanwhile the file disappeared.
  const here = new Set((await recordFiles(folder)).map(({ file }) => file));
  const unread = (await catalog.filesToIndex()).filter((file) => !here.has(file));
  const known = new Set([...gone.map(({ file }) => file), ...(await catalog.lostFiles())]);
  const others = [...unread, ...(await indexedAndGone(folder))].filter((file) => !known.has(file));
  return [...gone, ...new Set(others)].map((one) =>
    typeof one === 'string' ? { kind: 'missing', file: one, known: 0 } : one,
  );
}

/** Goes on without the missing records. The loss is recorded first: a crash in between records it twice. */
async function giveUp(
  folder: ArchiveFolder,
  catalog: RecoveryCatalog,
  gone: readonly GoneFile[],
  moved: ReadonlySet<string> = new Set(),
): Promise<readonly LostRecords[]> {
  const lost: LostRecords[] = [];
  for (const state of gone) {
    if (moved.has(state.file)) continue;
    const left = state.kind === 'shorter' ? await wholeUpTo(folder, state.file) : 0;
    const records = await recordIds(catalog, state.file, left);
    const loss = await describeLoss(folder, state.file, Math.max(0, state.known - left), left);
    lost.push({ ...loss, ...(records.length > 0 && { records }) });
  }
  await writeLosses(folder, lost);
  for (const state of gone) {
    const end = state.kind === 'shorter' ? await cutToEvent(folder, state) : 0;
    await catalog.giveUpTail(state.file, end);
    await mendIndex(folder, state.file);
  }
  return lost;
}

async function recordIds(catalog: RecoveryCatalog, file: string, from: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { offset, recordId } of catalog.recordsIn(file)) if (offset >= from) ids.push(recordId);
  return ids;
}

/** First the file, then the catalog: a crash in between leaves a file that is shorter still. */
async function cutToEvent(folder: ArchiveFolder, state: FileState & { kind: 'shorter' }): Promise<number> {
  const end = await wholeUpTo(folder, state.file);
  if (end < state.size) await setAsideTail(folder, state.file, end);
  await mendIndex(folder, state.file);
  return end;
}

/**
 * For a catalog other than the one the records were written with: its lengths say nothing of what was committed.
 * Only what is not a whole event is set aside; the caller indexes the rest.
 */
export async function keepWholeEvents(folder: ArchiveFolder, catalog: RecoveryCatalog): Promise<Reconciled> {
  const mended: string[] = [];
  for (const { file, size } of await recordFiles(folder)) {
    const end = await wholeUpTo(folder, file);
    if (end === size || end === 0) continue;
    const aside = await setAsideTail(folder, file, end);
    mended.push(
      `${file}: ${size - end} bytes that are no whole record set aside, in ${relative(folder.root, aside)}`,
    );
  }
  // What was merged since is not missing.
  const states = compareFiles(await recordFiles(folder), await catalog.warcFiles());
  const missing = states.filter((state) => state.kind === 'missing');
  const unknown = states.flatMap(({ kind, file }) => (kind === 'unknown' ? [file] : []));
  for (const file of await movedFiles(folder, catalog, missing, unknown)) await catalog.giveUpTail(file, 0);
  const gone = (await indexedAndGone(folder)).map((file) => ({ kind: 'missing' as const, file, known: 0 }));
  return { mended, lost: await giveUp(folder, catalog, gone) };
}

/** An index that names records which are no longer in the file is rewritten. */
async function mendIndex(folder: ArchiveFolder, file: string): Promise<void> {
  const index = indexPath(folder, file);
  if (!existsSync(index)) return;
  if (existsSync(join(folder.warc, file))) await writeIndex(folder, file);
  else await rm(index);
}
