import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, writeWhole } from './whole-file.ts';

/**
 * `swap.json` stands in the archive's folder while a rewritten record file takes the place of the old one:
 *
 *   { "from": "web-1-20260301080000-00000.warc.gz", "to": "web-1-20260301080000-00001.warc.gz" }
 *
 * Both files may be there then. The catalog, which changes hands in one transaction, says which of them counts.
 */
export interface SwapNote {
  readonly from: string;
  readonly to: string;
}

const swapPath = (root: string): string => join(root, 'swap.json');

/** Undefined where none is under way. The note is written whole before a file is touched: one that cannot be read says nothing. */
export async function readSwap(root: string): Promise<SwapNote | undefined> {
  const text = await readIfThere(swapPath(root));
  if (text === undefined) return undefined;
  try {
    const { from, to } = JSON.parse(text) as Partial<SwapNote>;
    // Names of files, not paths out of the folder.
    const isName = (name: unknown): name is string =>
      typeof name === 'string' && /^[^/\\]+\.w?arc/i.test(name);
    return isName(from) && isName(to) && from !== to ? { from, to } : undefined;
  } catch {
    return undefined;
  }
}

export const noteSwap = (root: string, swap: SwapNote): Promise<void> =>
  writeWhole(swapPath(root), `${JSON.stringify(swap)}\n`, 0o644);

export const endSwap = (root: string): Promise<void> => rm(swapPath(root), { force: true });
