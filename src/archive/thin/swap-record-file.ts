import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileSwap } from '../../ports/catalog.ts';
import { type ArchiveFolder, indexPath, recordFiles } from '../../storage/archive-folder.ts';
import { endSwap, noteSwap } from '../../storage/swap-note.ts';
import { writeMovedIndex } from '../../warc/moved-index.ts';
import { writeIndex } from '../open/index-files.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { settleSwap } from '../open/settle-swap.ts';

/**
 * Steps of a swap, in order. Killed before `committed`, the old file counts; from then on the new one. Whoever opens the archive
 * next removes the other (settle-swap.ts).
 *
 *   noted       swap.json names both files
 *   placed      the new file is in the archive; the catalog does not know it
 *   indexed     its index is there
 *   committed   the catalog knows the new file in place of the old one, in one transaction, on disk
 *   unindexed   the index of the old file is gone
 *   removed     the old file is gone
 *   done        swap.json is gone
 */
export const SWAP_STEPS = [
  'noted',
  'placed',
  'indexed',
  'committed',
  'unindexed',
  'removed',
  'done',
] as const;
export type SwapStep = (typeof SWAP_STEPS)[number];

/** Puts a rewritten file, which lies whole on disk at `staged`, in the place of the old one. */
export async function swapRecordFile(
  { folder, catalog }: Pick<OpenArchive, 'folder' | 'catalog'>,
  staged: string,
  swap: FileSwap,
  onStep: (step: SwapStep) => void = () => {},
): Promise<void> {
  const { from, to } = swap;
  try {
    await noteSwap(folder.root, { from, to });
    onStep('noted');
    await rename(staged, join(folder.warc, to));
    await syncFolder(folder.warc);
    onStep('placed');
    await indexNew(folder, swap);
    await syncFolder(folder.indexes);
    onStep('indexed');
    await catalog.swapFile(swap);
  } catch (error) {
    // Whether the catalog took it, it says itself: a connection may be lost after the commit.
    await settleSwap(folder, catalog).catch(() => {});
    throw error;
  }
  onStep('committed');
  await rm(indexPath(folder, from), { force: true });
  onStep('unindexed');
  await rm(join(folder.warc, from));
  await syncFolder(folder.warc);
  onStep('removed');
  await endSwap(folder.root);
  onStep('done');
}

async function indexNew(folder: ArchiveFolder, swap: FileSwap): Promise<void> {
  const old = indexPath(folder, swap.from);
  const lines = existsSync(old) ? await writeMovedIndex(old, indexPath(folder, swap.to), swap) : undefined;
  if (lines === undefined) await writeIndex(folder, swap.to);
}

/** A name is on disk only when its folder is. Some file systems cannot sync folders, and need not. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** A name like the old one that no file has or had: numbers at the end count on, so that files stay in the order they were written. */
export async function nextName(
  { folder, catalog }: Pick<OpenArchive, 'folder' | 'catalog'>,
  file: string,
): Promise<string> {
  const taken = new Set([
    ...(await recordFiles(folder)).map((one) => one.file),
    ...(await catalog.warcFiles()).map((one) => one.file),
    ...(await catalog.lostFiles()),
    ...(await catalog.filesToIndex()),
  ]);
  const [, stem = file, number = '1', ending = ''] = /^(.*?)-?(\d*)((?:\.w?arc)(?:\.gz)?)$/i.exec(file) ?? [];
  for (let next = Number(number) + 1; ; next++) {
    const name = `${stem}-${String(next).padStart(number.length, '0')}${ending}`;
    if (!taken.has(name)) return name;
  }
}
