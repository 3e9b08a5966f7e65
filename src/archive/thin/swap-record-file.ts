import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { FileSwap } from '../../ports/catalog.ts';
import { type ArchiveFolder, indexPath, recordFiles } from '../../storage/archive-folder.ts';
import { ownName } from '../../storage/merged-files.ts';
import { adoptFile, removeFile } from '../../storage/record-copies.ts';
import { endSwap, noteSwap } from '../../storage/swap-note.ts';
import { writeMovedIndex } from '../../warc/moved-index.ts';
import { segmentChance } from '../../warc/segments.ts';
import { writeIndex } from '../open/index-files.ts';
import type { OpenArchive } from '../open/open-archive.ts';
import { settleSwap } from '../open/settle-swap.ts';

/**
 * Steps of a swap, in order. If it is killed before `committed`, the old file counts; from then on, the new one does.
 * Whoever opens the archive next removes the other (settle-swap.ts).
 *
 *   noted       swap.json names both files
 *   placed      the new file is in the archive, or in its object store; the catalog does not know it
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

/** Puts a rewritten file, which is whole on disk at `staged`, in the place of the old one. */
export async function swapRecordFile(
  { folder, catalog }: Pick<OpenArchive, 'folder' | 'catalog'>,
  staged: string,
  swap: FileSwap,
  onStep: (step: SwapStep) => void = () => {},
): Promise<void> {
  const { from, to } = swap;
  try {
    await noteSwap(folder, { from, to });
    onStep('noted');
    await adoptFile(folder, staged, to);
    await syncFolder(folder.warc);
    onStep('placed');
    if (!folder.remote) await indexNew(folder, swap);
    await syncFolder(folder.indexes);
    onStep('indexed');
    await catalog.swapFile(swap);
  } catch (error) {
    // The catalog itself says whether it took the new file: a connection may be lost after the commit.
    await settleSwap(folder, catalog).catch(() => {});
    throw error;
  }
  onStep('committed');
  await rm(indexPath(folder, from), { force: true });
  onStep('unindexed');
  await removeFile(folder, from);
  await syncFolder(folder.warc);
  onStep('removed');
  await catalog.forgetReplaced([from]);
  await endSwap(folder);
  onStep('done');
}

async function indexNew(folder: ArchiveFolder, swap: FileSwap): Promise<void> {
  const old = indexPath(folder, swap.from);
  const lines = existsSync(old) ? await writeMovedIndex(old, indexPath(folder, swap.to), swap) : undefined;
  if (lines === undefined) await writeIndex(folder, swap.to);
}

/** A name is on disk only once its folder is. Some file systems cannot sync folders, and need not. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/**
 * A name like the old one that no file has or had: the number at the end is increased, so that files stay in the order
 * they were written.
 */
export async function nextName(
  { folder, catalog }: Pick<OpenArchive, 'folder' | 'catalog'>,
  file: string,
): Promise<string> {
  // In an object store, names are made unique by chance.
  const own = folder.remote && ownName(file);
  if (own) return `${own.kind}-${own.crawl}-${own.time}-00000${segmentChance()}.warc.gz`;
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
