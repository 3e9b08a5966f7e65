import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { naming } from '../ports/system-error.ts';
import type { ArchiveFolder } from './archive-folder.ts';
import { localFile, removeFile, replaceFile } from './record-copies.ts';

/** How a record file on disk compares with what the catalog knows about it. */
export type FileState =
  | { readonly kind: 'whole'; readonly file: string }
  /** Bytes past the last committed event: a crash came between append and commit. */
  | { readonly kind: 'longer'; readonly file: string; readonly known: number; readonly size: number }
  /** Committed bytes are gone: the disk lost them, or someone cut the file. */
  | { readonly kind: 'shorter'; readonly file: string; readonly known: number; readonly size: number }
  | { readonly kind: 'missing'; readonly file: string; readonly known: number }
  | { readonly kind: 'unknown'; readonly file: string; readonly size: number };

export function compareFiles(
  onDisk: readonly { readonly file: string; readonly size: number }[],
  inCatalog: readonly { readonly file: string; readonly length: number }[],
): readonly FileState[] {
  const sizes = new Map(onDisk.map(({ file, size }) => [file, size]));
  const states: FileState[] = inCatalog.map(({ file, length: known }): FileState => {
    const size = sizes.get(file);
    sizes.delete(file);
    if (size === undefined) return { kind: 'missing', file, known };
    if (size === known) return { kind: 'whole', file };
    return { kind: size > known ? 'longer' : 'shorter', file, known, size };
  });
  for (const [file, size] of sizes) states.push({ kind: 'unknown', file, size });
  return states;
}

/** Moves the bytes from an offset onwards into the set-aside folder; the file then ends there. */
export async function setAsideTail(folder: ArchiveFolder, file: string, from: number): Promise<string> {
  await mkdir(folder.setAside, { recursive: true });
  const source = await localFile(folder, file);
  const target = join(folder.setAside, `${file}.from-${from}`);
  if (from === 0) {
    await rename(source, target);
    await removeFile(folder, file);
    return target;
  }
  // Copied whole before the file is cut: a second crash here loses nothing.
  await naming(
    target,
    pipeline(createReadStream(source, { start: from }), createWriteStream(target, { flush: true })),
  );
  await truncate(source, from);
  await replaceFile(folder, file);
  return target;
}
