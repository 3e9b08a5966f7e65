import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { naming } from '../ports/system-error.ts';

/** The old file or the new one, whole, though the machine stops in between. */
export async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const part = `${path}.part`;
  const file = await open(part, 'w', mode);
  try {
    await file.chmod(mode);
    await naming(path, file.writeFile(text));
    await naming(path, file.sync());
  } finally {
    await file.close();
  }
  await rename(part, path);
  // The name is on disk only when the folder is. Some file systems cannot sync folders, and need not.
  const folder = await open(dirname(path), 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await naming(path, readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
