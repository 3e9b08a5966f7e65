import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { naming } from '../ports/system-error.ts';

/** Either the old file or the new one is there, whole, even if the machine stops in between. */
export async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  await rename(await writePart(path, text, mode), path);
  await syncFolder(path);
}

/** False where there is already a file, which is left alone: of several processes, one is the first. */
export async function writeFirst(path: string, text: string, mode: number): Promise<boolean> {
  const part = await writePart(path, text, mode);
  try {
    await link(part, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(part, { force: true });
  }
  await syncFolder(path);
  return true;
}

/** Under a unique name: several processes may share the folder. */
async function writePart(path: string, text: string, mode: number): Promise<string> {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`;
  const file = await open(part, 'wx', mode);
  try {
    await file.chmod(mode);
    await naming(path, file.writeFile(text));
    await naming(path, file.sync());
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return part;
}

async function syncFolder(path: string): Promise<void> {
  // The name is on disk only once the folder is. Some file systems cannot sync folders, and need not.
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
