import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveFolder } from '../../storage/archive-folder.ts';

/** What was there before a command that writes came: nothing, a folder without anything in it, or more. */
export type FolderBefore = 'absent' | 'empty' | 'more';

export async function whatWasThere(root: string): Promise<FolderBefore> {
  const names = await readdir(root).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : ['?'],
  );
  if (names === undefined) return 'absent';
  return names.length === 0 ? 'empty' : 'more';
}

const LOCK = new Set(['lock.sqlite', 'lock.sqlite-journal', 'lock.holder']);

/**
 * For one who was refused, and has the folder alone: what it made there for itself goes again, as long as nothing was put into it.
 * A folder that had something in it is left as it is: it may be somebody's archive.
 */
export async function removeMade(folder: ArchiveFolder, before: FolderBefore): Promise<void> {
  if (before === 'more') return;
  // Only empty ones go.
  for (const path of [folder.spool, folder.indexes, folder.warc, folder.tmp])
    await rmdir(path).catch(() => {});
  const left = await readdir(folder.root).catch(() => ['?']);
  if (left.some((name) => !LOCK.has(name))) return;
  for (const name of left) await rm(join(folder.root, name), { force: true });
  if (before === 'absent') await rmdir(folder.root).catch(() => {});
}
