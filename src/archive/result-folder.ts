import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { naming } from '../ports/system-error.ts';
import { makeFolder } from '../storage/make-folder.ts';

export type WriteResult = (name: string, content: string) => Promise<void>;

/** A folder for results, created at once: if it cannot be, that is known before hours of work. */
export async function resultFolder(folder: string): Promise<WriteResult> {
  await makeFolder(folder);
  return async (name, content) => {
    const file = join(folder, name);
    // Renamed into place: a run that is stopped leaves no partial file.
    await naming(file, writeFile(`${file}.part`, content));
    await rename(`${file}.part`, file);
  };
}
