import { isWebCapture } from '../../model/capture.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { isMergedFile } from '../../storage/merged-files.ts';
import { localFile } from '../../storage/record-copies.ts';
import { compareFiles } from '../../storage/set-aside.ts';
import { archiveOfFile } from '../../warc/archive-of-file.ts';
import { mergedFrom } from '../../warc/merge-warcs.ts';
import { readRecords } from '../../warc/read-records.ts';
import { filesNotReplaced } from '../merge/replaced-files.ts';
import { UserError } from '../user-error.ts';
import { neverCommitted } from './tails.ts';

type AskedCatalog = Pick<
  Catalog,
  'crawls' | 'warcFiles' | 'filesToIndex' | 'lostFiles' | 'replacedFiles' | 'captureByRecordId'
>;

interface Asked {
  readonly archiveId: string;
  readonly isShared: boolean;
}

/**
 * Whether the catalog is older than the records, though both name the same opening: it was copied while somebody wrote, and who
 * wrote went on. What it lacks would pass for what a crash left, and be set aside. But of files that were never committed no later
 * file says that they were, and no merge takes them. A rebuild may go on by the records alone; all else is refused.
 */
export async function isOlder(
  folder: ArchiveFolder,
  catalog: AskedCatalog,
  opening: Asked & { readonly rebuild: boolean },
): Promise<boolean> {
  const told = await committedSince(folder, catalog, opening);
  if (told && !opening.rebuild)
    throw new UserError(
      `${olderText(told)}. It is an old copy, or a backup that was taken while somebody wrote. Put the right one back, or run ` +
        "'daguerre reindex', which rebuilds it from the records; nothing was changed",
    );
  return told !== undefined;
}

export interface CommittedFile {
  readonly committed: string;
  /** Its `warcinfo` says so. */
  readonly saidBy: string;
}

export async function committedSince(
  folder: ArchiveFolder,
  catalog: AskedCatalog,
  { archiveId, isShared }: Asked,
): Promise<CommittedFile | undefined> {
  const crawls = (await catalog.crawls()).filter(({ state }) => isShared || state !== 'finished');
  const pending = new Set([...(await catalog.filesToIndex()), ...(await catalog.lostFiles())]);
  const known = await catalog.warcFiles();
  const states = compareFiles(await filesNotReplaced(folder, catalog), known);
  const unknown = new Set(
    states.flatMap(({ kind, file }) => (kind === 'unknown' && !pending.has(file) ? [file] : [])),
  );
  const replaced = (await catalog.replacedFiles()).map(({ file }) => file);
  const told = new Set([...known.map(({ file }) => file), ...pending, ...replaced]);
  for (const saidBy of unknown) {
    if (isMergedFile(saidBy) && known.length > 0) {
      const committed = await mergedUnknown(folder, saidBy, catalog, { archiveId, told });
      if (committed !== undefined) return { committed, saidBy };
    }
    if (!(await neverCommitted(folder, saidBy, archiveId, crawls))) continue;
    const committed = (await archiveOfFile(await localFile(folder, saidBy)))?.follows;
    if (committed !== undefined && unknown.has(committed)) return { committed, saidBy };
  }
  return undefined;
}

/**
 * Only what was committed is merged, and files that were merged are deleted, with what they said: so the merged one stands for them. Of the
 * files that it was made of, one that the catalog was never told of, where it lacks a capture as well. Without the latter it is a merge
 * that was interrupted, whose files somebody else merged since.
 */
async function mergedUnknown(
  folder: ArchiveFolder,
  file: string,
  catalog: Pick<Catalog, 'captureByRecordId'>,
  { archiveId, told }: { readonly archiveId: string; readonly told: ReadonlySet<string> },
): Promise<string | undefined> {
  const path = await localFile(folder, file);
  const committed = (await mergedFrom(path).catch(() => undefined))?.find((one) => !told.has(one));
  if (committed === undefined || (await archiveOfFile(path))?.id !== archiveId) return undefined;
  for await (const { type, url, id } of readRecords(path)) {
    if ((type !== 'response' && type !== 'revisit') || !isWebCapture({ type, url })) continue;
    if (!(await catalog.captureByRecordId(id))) return committed;
  }
  return undefined;
}

export const olderText = ({ committed, saidBy }: CommittedFile): string =>
  `the catalog is older than the records: it does not know ${committed}, whose captures had been committed when ${saidBy} was begun`;
