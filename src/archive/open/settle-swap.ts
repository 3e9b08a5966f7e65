import { rm } from 'node:fs/promises';
import type { MergingCatalog, RecoveryCatalog } from '../../ports/catalog.ts';
import { type ArchiveFolder, indexPath } from '../../storage/archive-folder.ts';
import { hasFile, removeFile } from '../../storage/record-copies.ts';
import { endSwap, readSwap } from '../../storage/swap-note.ts';

/**
 * Cleans up after an interrupted rewrite: the file that counts stays, the other one is removed. The catalog says which:
 * it took the new one in a single transaction, or did not. A catalog that knows neither was recreated: then the old
 * file is right, since it has all that the new one has.
 */
export async function settleSwap(
  folder: ArchiveFolder,
  catalog: Pick<RecoveryCatalog & MergingCatalog, 'warcFiles' | 'forgetReplaced'>,
): Promise<readonly string[]> {
  const swap = await readSwap(folder);
  if (!swap) {
    // Saves a request to the store on each opening.
    if (!folder.remote) await endSwap(folder);
    return [];
  }
  const { from, to } = swap;
  const known = new Set((await catalog.warcFiles()).map(({ file }) => file));
  const isDone = known.has(to) && !known.has(from);
  const [stays, goes] = isDone || !(await hasFile(folder, from)) ? [to, from] : [from, to];
  const wasThere = await hasFile(folder, goes);
  // The index first: one without its file would signal a loss.
  await rm(indexPath(folder, goes), { force: true });
  await removeFile(folder, goes);
  await catalog.forgetReplaced([from]);
  await endSwap(folder);
  const what = isDone ? 'brought to its end' : 'undone, nothing of it was lost';
  return wasThere ? [`${stays}: a rewriting of it that had been interrupted was ${what}`] : [];
}
