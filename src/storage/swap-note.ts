import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveFolder } from './archive-folder.ts';
import { readIfThere, writeWhole } from './whole-file.ts';

/**
 * `swap.json` is where the record files are, in the archive's folder or in its object store, while a rewritten record
 * file replaces the old one:
 *
 *   { "from": "web-1-20260301080000-00000.warc.gz", "to": "web-1-20260301080000-00001.warc.gz" }
 *
 * Both files may exist then. The catalog, which switches in one transaction, says which of them counts.
 */
export interface SwapNote {
  readonly from: string;
  readonly to: string;
}

const NAME = 'swap.json';
const swapPath = ({ root }: ArchiveFolder): string => join(root, NAME);

/** Undefined where none is under way. The note is written whole before a file is touched: an unreadable one says nothing. */
export async function readSwap(folder: ArchiveFolder): Promise<SwapNote | undefined> {
  const text = folder.remote ? await folder.remote.readNote(NAME) : await readIfThere(swapPath(folder));
  if (text === undefined) return undefined;
  try {
    const { from, to } = JSON.parse(text) as Partial<SwapNote>;
    // Only file names, no paths out of the folder.
    const isName = (name: unknown): name is string =>
      typeof name === 'string' && /^[^/\\]+\.w?arc/i.test(name);
    return isName(from) && isName(to) && from !== to ? { from, to } : undefined;
  } catch {
    return undefined;
  }
}

export async function noteSwap(folder: ArchiveFolder, swap: SwapNote): Promise<void> {
  const text = `${JSON.stringify(swap)}\n`;
  if (folder.remote) await folder.remote.writeNote(NAME, text);
  else await writeWhole(swapPath(folder), text, 0o644);
}

export async function endSwap(folder: ArchiveFolder): Promise<void> {
  if (folder.remote) await folder.remote.removeNote(NAME);
  else await rm(swapPath(folder), { force: true });
}
