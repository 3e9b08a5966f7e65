import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError } from '../ports/system-error.ts';

/**
 * A folder, with those above it where they are missing. On a read-only disk Node's own way says that the folder does
 * not exist, which does not help; asked for this folder alone, the system says why it cannot be created.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, { recursive: true, ...(mode !== undefined && { mode }) });
  } catch (error) {
    if (!isSystemError(error) || error.code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}
