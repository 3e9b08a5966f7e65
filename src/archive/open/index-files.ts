import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createPageReader } from '../../capture/page-reader.ts';
import type { CaptureFact } from '../../model/capture.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { crawlOf, restoreCrawl } from '../../stages/crawl-log.ts';
import { indexRecords } from '../../stages/index-records.ts';
import { type ArchiveFolder, indexPath } from '../../storage/archive-folder.ts';
import { writeCdxj } from '../../warc/cdxj.ts';
import { factsFromWarc } from '../../warc/facts.ts';
import type { Severity } from '../../warc/read-options.ts';
import { type ReadProblem, readRecords } from '../../warc/read-records.ts';
import { openRecordReader } from '../../warc/record-reader.ts';

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
  const logs: CaptureFact[] = [];
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
    logs.push(...indexed.logs);
    problems.push(...indexed.problems);
    onProgress?.(name, size, size);
    await writeIndex(folder, name);
  }
  await restoreCrawls(folder, catalog, logs, (problem) => problems.push(problem));
  return { captures, pages, problems };
}

export type Place = Omit<ReadProblem, 'severity'>;

export function bySeverity(problems: readonly ReadProblem[]) {
  const of = (wanted: Severity): Place[] =>
    problems
      .filter(({ severity = 'error' }) => severity === wanted)
      .map(({ file, offset, reason }) => ({ file, offset, reason }));
  return { errors: of('error'), warnings: of('warning'), notes: of('note') };
}

/** In the order they began. One that was stopped and resumed has a log of each time: the last one tells all. */
async function restoreCrawls(
  folder: ArchiveFolder,
  catalog: Catalog,
  logs: readonly CaptureFact[],
  onProblem: (problem: ReadProblem) => void,
): Promise<void> {
  const reader = openRecordReader(folder.warc);
  try {
    const last = new Map<string, { log: CaptureFact; startedAt: number }>();
    for (const log of logs.toSorted((a, b) => a.at - b.at)) {
      const crawl = await crawlOf((await reader.read(log)).payload);
      if (!crawl) {
        const { file, offset } = log;
        onProblem({ file, offset, reason: `${log.url} cannot be understood: it is no log of a crawl` });
        continue;
      }
      // Not by its key: that changes when it goes on under other settings.
      last.set(JSON.stringify([crawl.startedAt, crawl.spec.seeds]), { log, startedAt: crawl.startedAt });
    }
    for (const { log } of [...last.values()].sort((a, b) => a.startedAt - b.startedAt)) {
      const { file, offset, url } = log;
      const lost = await restoreCrawl((await reader.read(log)).payload, catalog);
      if (lost > 0)
        onProblem({
          file,
          offset,
          reason: `${lost} lines of ${url} brought nothing back: they are damaged, or name a URL again`,
        });
    }
  } finally {
    await reader.close();
  }
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
