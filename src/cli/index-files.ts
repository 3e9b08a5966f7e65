import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createPageReader } from '../capture/page-reader.ts';
import type { Catalog } from '../ports/catalog.ts';
import { indexRecords } from '../stages/index-records.ts';
import type { ArchiveFolder } from '../storage/archive-folder.ts';
import { writeCdxj } from '../warc/cdxj.ts';
import { factsFromWarc } from '../warc/facts.ts';
import { type ReadProblem, readRecords } from '../warc/read-records.ts';

export interface IndexedFiles {
  readonly captures: number;
  readonly pages: number;
  readonly problems: readonly ReadProblem[];
}

/** Reads record files into the catalog, and writes their CDXJ. */
export async function indexFiles(
  folder: ArchiveFolder,
  catalog: Catalog,
  files: readonly string[],
  onProgress?: (file: string, done: number, size: number) => void,
): Promise<IndexedFiles> {
  const problems: ReadProblem[] = [];
  const pageReader = createPageReader();
  let captures = 0;
  let pages = 0;
  for (const name of files) {
    const path = join(folder.warc, name);
    const { size } = await stat(path);
    const ours = await isOurs(path);
    const records = factsFromWarc(path, { onProblem: (problem) => problems.push(problem) });
    const indexed = await indexRecords({ name, size, ours }, records, { catalog, pageReader }, (done) =>
      onProgress?.(name, done, size),
    );
    captures += indexed.captures;
    pages += indexed.pages;
    onProgress?.(name, size, size);
    await writeIndex(folder, name);
  }
  return { captures, pages, problems };
}

export function indexPath(folder: ArchiveFolder, name: string): string {
  return join(folder.indexes, `${name}.cdxj`);
}

/** A second pass over the file, so that the lines of a large one need not be held while it is read. */
export async function writeIndex(folder: ArchiveFolder, name: string): Promise<void> {
  const path = join(folder.warc, name);
  async function* facts() {
    for await (const { fact } of factsFromWarc(path)) yield fact;
  }
  await writeCdxj(indexPath(folder, name), facts());
}

/** Whether Daguerre wrote the file: its first record says so. */
export async function isOurs(path: string): Promise<boolean> {
  for await (const record of readRecords(path)) {
    if (record.type !== 'warcinfo') return false;
    return Buffer.from(record.payload.bytes ?? [])
      .toString('latin1')
      .includes('software: Daguerre/');
  }
  return false;
}
