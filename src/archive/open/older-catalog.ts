import type { Catalog } from '../../ports/catalog.ts';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';
import { localFile } from '../../storage/record-copies.ts';
import { compareFiles } from '../../storage/set-aside.ts';
import { archiveOfFile } from '../../warc/archive-of-file.ts';
import { filesNotReplaced } from '../merge/replaced-files.ts';
import { UserError } from '../user-error.ts';
import { neverCommitted } from './tails.ts';

type AskedCatalog = Pick<Catalog, 'crawls' | 'warcFiles' | 'filesToIndex' | 'lostFiles' | 'replacedFiles'>;

interface Asked {
  readonly archiveId: string;
  readonly isShared: boolean;
}

/**
 * Whether the catalog is older than the records, though both name the same opening: it was copied while somebody wrote, and who
 * wrote went on. What it lacks would pass for what a crash left, and be set aside. But of files that were never committed no later
 * file says that they were. A rebuild may go on by the records alone; all else is refused.
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
  const states = compareFiles(await filesNotReplaced(folder, catalog), await catalog.warcFiles());
  const unknown = new Set(
    states.flatMap(({ kind, file }) => (kind === 'unknown' && !pending.has(file) ? [file] : [])),
  );
  for (const saidBy of unknown) {
    if (!(await neverCommitted(folder, saidBy, archiveId, crawls))) continue;
    const committed = (await archiveOfFile(await localFile(folder, saidBy)))?.follows;
    if (committed !== undefined && unknown.has(committed)) return { committed, saidBy };
  }
  return undefined;
}

export const olderText = ({ committed, saidBy }: CommittedFile): string =>
  `the catalog is older than the records: it does not know ${committed}, whose captures had been committed when ${saidBy} was begun`;
