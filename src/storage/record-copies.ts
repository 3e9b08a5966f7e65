import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArchiveFolder, filesIn, RECORD_FILE, recordFiles } from './archive-folder.ts';

/**
 * Record files of an archive whose home is an object store:
 *
 *   spool/   written here, not yet in the store: never reported captured
 *   warc/    copies of what is in the store; the least recently used go when they take more than `cacheSize`
 *
 * Without a store, `warc/` is the home, and all of this does nothing.
 */

/** Shortest time that a copy stays, in milliseconds: it must not disappear between being located and being opened. */
const SPARED = 60_000;
/** How long until an incomplete copy counts as abandoned, in milliseconds. */
const LEFT_BEHIND = 3_600_000;
const PART = '.part';

/**
 * Size of the copies in each folder in bytes, as far as this process knows, so that not every upload has to
 * count them.
 */
const taken = new Map<string, number>();

/** The path of the whole file, copied here first if only the store has it. Rejects with ENOENT where neither has it. */
export async function localFile(folder: ArchiveFolder, file: string): Promise<string> {
  const path = join(folder.warc, file);
  if (!folder.remote) return path;
  const now = new Date();
  if (
    await utimes(path, now, now).then(
      () => true,
      () => false,
    )
  )
    return path;
  const part = join(folder.warc, `${file}.${randomUUID()}${PART}`);
  await folder.remote.copyTo(file, part);
  const { size } = await stat(part);
  await rename(part, path);
  await makeRoom(folder, size);
  return path;
}

/** Moves a whole file from the spool to the store; a copy stays. */
export async function shipFile(folder: ArchiveFolder, file: string): Promise<void> {
  if (!folder.remote) return;
  const path = join(folder.spool, file);
  const { size } = await stat(path);
  await folder.remote.put(file, path);
  await rename(path, join(folder.warc, file));
  await makeRoom(folder, size);
}

/** A file that is whole on the same disk becomes one of the archive, under this name. */
export async function adoptFile(folder: ArchiveFolder, staged: string, file: string): Promise<void> {
  await rename(staged, join(folder.remote ? folder.spool : folder.warc, file));
  await shipFile(folder, file);
}

/** A file that has become shorter replaces the one in the store. */
export async function replaceFile({ remote, warc }: ArchiveFolder, file: string): Promise<void> {
  await remote?.put(file, join(warc, file), { replace: true });
}

export async function removeFile({ remote, warc }: ArchiveFolder, file: string): Promise<void> {
  await remote?.remove(file);
  await rm(join(warc, file), { force: true });
}

export async function hasFile({ remote, warc }: ArchiveFolder, file: string): Promise<boolean> {
  return remote ? remote.has(file) : existsSync(join(warc, file));
}

/**
 * For opening the archive for writing. What a killed process left in the spool goes to the store, where it is treated
 * like what a crash leaves in a folder: set aside, or indexed. `isNew`: the records were in the folder until now, and
 * move.
 */
export async function emptySpool(folder: ArchiveFolder, isNew: boolean): Promise<readonly string[]> {
  if (!folder.remote) return [];
  if (isNew) {
    const there = new Set((await folder.remote.list()).map(({ file }) => file));
    for (const { file } of await filesIn(folder.warc))
      if (!there.has(file)) await rename(join(folder.warc, file), join(folder.spool, file));
  }
  const spooled = await filesIn(folder.spool);
  for (const { file, size } of spooled) {
    if (size > 0) await shipFile(folder, file);
    else await rm(join(folder.spool, file));
  }
  await removeLeftBehind(folder);
  const words = isNew
    ? 'that lay in the folder were'
    : 'that an interrupted command had not brought there were';
  return spooled.length === 0
    ? []
    : [`${spooled.length} record files ${words} put into ${folder.remote.url}`];
}

async function makeRoom(folder: ArchiveFolder, added: number): Promise<void> {
  const { remote, warc } = folder;
  const known = taken.get(warc);
  if (!remote || (known !== undefined && known + added <= remote.cacheSize)) {
    if (known !== undefined) taken.set(warc, known + added);
    return;
  }
  const before = Date.now() - SPARED;
  const names = (await readdir(warc)).filter((name) => RECORD_FILE.test(name));
  const found = await Promise.all(
    names.map(async (name) => ({ name, facts: await stat(join(warc, name)).catch(() => undefined) })),
  );
  const copies = found.flatMap(({ name, facts }) => (facts ? [{ name, ...sizeAndTime(facts) }] : []));
  let total = copies.reduce((sum, { size }) => sum + size, 0);
  for (const { name, size, usedAt } of copies.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= remote.cacheSize || usedAt > before) break;
    await rm(join(warc, name), { force: true });
    total -= size;
  }
  taken.set(warc, total);
}

const sizeAndTime = ({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }) => ({
  size,
  usedAt: mtimeMs,
});

async function removeLeftBehind({ warc }: ArchiveFolder): Promise<void> {
  for (const name of await readdir(warc)) {
    if (!name.endsWith(PART)) continue;
    const { mtimeMs } = await stat(join(warc, name));
    if (mtimeMs < Date.now() - LEFT_BEHIND) await rm(join(warc, name), { force: true });
  }
}

/** Where a store of records writes; to be passed to `openWarcStore`. */
export function recordHome(folder: ArchiveFolder) {
  const { root, spool, remote } = folder;
  const ship = (file: string): Promise<void> => shipFile(folder, file);
  return { archive: root, ...(remote && { segments: { folder: spool, ship } }) };
}

/** Every record file in turn, with a path to read it from. */
export async function* recordPaths(
  folder: ArchiveFolder,
): AsyncGenerator<{ readonly file: string; readonly path: string }> {
  for (const { file } of await recordFiles(folder)) yield { file, path: await localFile(folder, file) };
}
