import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError } from '../ports/system-error.ts';

/**
 * Creates a folder, and its missing parents. On a read-only disk Node's recursive mkdir says that the folder does
 * not exist, which does not help; for a single folder, the system says why it cannot be created.
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
