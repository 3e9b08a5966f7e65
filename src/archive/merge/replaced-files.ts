import type { Millis } from '../../model/time.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { type ArchiveFolder, recordFiles } from '../../storage/archive-folder.ts';
import { isMergedFile } from '../../storage/merged-files.ts';
import { removeFile } from '../../storage/record-copies.ts';
import type { OpenArchive } from '../open/open-archive.ts';

/** Deletes files whose records have been in another file since that time. Killed at any point, the next run resumes it. */
export async function deleteReplaced(
  { folder, catalog }: Pick<OpenArchive, 'folder' | 'catalog'>,
  since: Millis,
): Promise<{ readonly deleted: number; readonly waiting: number }> {
  const replaced = await catalog.replacedFiles();
  const due = replaced.filter(({ at }) => at <= since).map(({ file }) => file);
  for (const file of due) await removeFile(folder, file);
  if (due.length > 0) await catalog.forgetReplaced(due);
  return { deleted: due.length, waiting: replaced.length - due.length };
}

type Files = readonly { readonly file: string; readonly size: number }[];

/** The record files except those whose records are in another file already. */
export async function filesNotReplaced(
  folder: ArchiveFolder,
  catalog: Pick<Catalog, 'replacedFiles'>,
): Promise<Files> {
  const files = await recordFiles(folder);
  if (!folder.remote) return files;
  const replaced = new Set((await catalog.replacedFiles()).map(({ file }) => file));
  return files.filter(({ file }) => !replaced.has(file));
}

/**
 * The record files that count, for readers that run beside other processes: also without those being merged, or left
 * over from a merge.
 */
export async function countedFiles(
  folder: ArchiveFolder,
  catalog: Pick<Catalog, 'replacedFiles' | 'warcFiles'>,
): Promise<Files> {
  const files = await filesNotReplaced(folder, catalog);
  if (!folder.remote) return files;
  const known = new Set((await catalog.warcFiles()).map(({ file }) => file));
  return files.filter(({ file }) => !isMergedFile(file) || known.has(file));
}
