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
      writeSync(file, new Uint8Array(PAGE), 0, PAGE, Math.max(sizeOf(path), sizeOf(`${path}-wal`)));
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
