import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecoveryCatalog } from '../../ports/catalog.ts';
import { type ArchiveFolder, indexPath } from '../../storage/archive-folder.ts';
import { endSwap, readSwap } from '../../storage/swap-note.ts';

/**
 * What is left of a rewriting that was interrupted: the file that counts stays, the other goes. The catalog says which: it
 * took the new one in a single transaction, or did not. A catalog that knows neither was made anew: then the old file is
 * right, which has all that the new one has.
 */
export async function settleSwap(
  folder: ArchiveFolder,
  catalog: Pick<RecoveryCatalog, 'warcFiles'>,
): Promise<readonly string[]> {
  const swap = await readSwap(folder.root);
  if (!swap) {
    await endSwap(folder.root);
    return [];
  }
  const { from, to } = swap;
  const known = new Set((await catalog.warcFiles()).map(({ file }) => file));
  const isDone = known.has(to) && !known.has(from);
  const [stays, goes] = isDone || !existsSync(join(folder.warc, from)) ? [to, from] : [from, to];
  const wasThere = existsSync(join(folder.warc, goes));
  // The index first: one without its file tells of a loss.
  await rm(indexPath(folder, goes), { force: true });
  await rm(join(folder.warc, goes), { force: true });
  await endSwap(folder.root);
  const what = isDone ? 'brought to its end' : 'undone, nothing of it was lost';
  return wasThere ? [`${stays}: a rewriting of it that had been interrupted was ${what}`] : [];
}
