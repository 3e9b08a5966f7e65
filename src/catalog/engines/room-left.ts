import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { isFullDisk } from '../../ports/record-store.ts';

/** Bytes of a page of the catalog. */
const PAGE = 4096;

/**
 * Whether what keeps a catalog from growing is a lack of room. SQLite knows a full disk, but takes a used-up quota and
 * a limit on the size of files for a broken one; so a file beside it is asked to take a page where the catalog would.
 */
export function isRoomGone(path: string): boolean {
  const probe = `${path}-room`;
  try {
    const file = openSync(probe, 'w');
    try {
      const from = Math.max(sizeOf(path), sizeOf(`${path}-wal`));
      const bytes = new Uint8Array(PAGE);
      // A limit within the page takes the first half of it without a word, and refuses the second.
      for (let done = 0; done < PAGE; ) done += writeSync(file, bytes, done, PAGE - done, from + done);
    } finally {
      closeSync(file);
      rmSync(probe);
    }
    return false;
  } catch (error) {
    return isFullDisk(error);
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
