import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createPageReader } from '../../capture/page-reader.ts';
import { type CaptureFact, isWebCapture } from '../../model/capture.ts';
import type { Millis } from '../../model/time.ts';
import type {
  CommitCatalog,
  CrawlCatalog,
  OwnerCatalog,
  ResultCatalog,
  SiteCatalog,
  SiteDeltaCatalog,
} from '../../ports/catalog.ts';
import { crawlOf, restoreCrawl } from '../../stages/crawl-log.ts';
import { indexRecords, type ScannedRecord } from '../../stages/index-records.ts';
import { type ArchiveFolder, indexPath } from '../../storage/archive-folder.ts';
import { localFile } from '../../storage/record-copies.ts';
import { writeCdxj } from '../../warc/cdxj.ts';
import { factsFromWarc } from '../../warc/facts.ts';
import type { ProblemPlace, Severity } from '../../warc/read-options.ts';
import { type ReadProblem, readRecords } from '../../warc/read-records.ts';
import { isJournal } from '../journal.ts';
import { indexSiteDelta } from '../site-delta/index-site-delta.ts';
import { SiteDeltaError } from '../site-delta/sax-events.ts';
import { future } from '../system-clock.ts';
import { openFolderReader } from './open-folder.ts';

/** What records are turned into, including crawls from their logs. */
export type IndexedCatalog = CommitCatalog &
  CrawlCatalog &
  ResultCatalog &
  Pick<OwnerCatalog, 'owner'> &
  Pick<SiteCatalog, 'siteBounds'> &
  Pick<SiteDeltaCatalog, 'inPassing'>;

export interface IndexedFiles {
  readonly captures: number;
  readonly pages: number;
  readonly problems: readonly ReadProblem[];
}

/** Reads record files into the catalog, and writes their CDXJ. */
export async function indexFiles(
  folder: ArchiveFolder,
  catalog: IndexedCatalog,
  files: readonly string[],
  onProgress?: (file: string, done: number, size: number) => void,
): Promise<IndexedFiles> {
  const problems: ReadProblem[] = [];
  const pageReader = createPageReader();
  let captures = 0;
  let pages = 0;
  const logs: CaptureFact[] = [];
  const unfinished = new Map<string, number>();
  const histories: CaptureFact[] = [];
  for (const name of files) {
    const path = await localFile(folder, name);
    const { size } = await stat(path);
    const ours = await isOurs(path);
    const ahead: CaptureFact[] = [];
    const records = datedBefore(
      future(),
      factsFromWarc(path, { onProblem: (problem) => problems.push(problem) }),
      (fact) => ahead.push(fact),
    );
    const indexed = await indexRecords({ name, size, ours }, records, { catalog, pageReader }, (done) =>
      onProgress?.(name, done, size),
    );
    if (ahead[0])
      problems.push({ file: name, offset: ahead[0].offset, severity: 'warning', reason: aheadOfTime(ahead) });
    captures += indexed.captures;
    pages += indexed.pages;
    logs.push(...indexed.logs);
    // Something in another archive's file that calls itself a journal was never imported into this archive.
    if (isJournal(name)) histories.push(...indexed.histories);
    if (indexed.logs.length + indexed.histories.length > 0) unfinished.set(name, size);
    problems.push(...indexed.problems);
    if (indexed.twice > 0)
      problems.push({ file: name, offset: 0, severity: 'note', reason: twiceTold(indexed.twice) });
    onProgress?.(name, size, size);
    await writeIndex(folder, name);
  }
  await restoreCrawls(folder, catalog, logs, (problem) => problems.push(problem));
  await restoreHistories(folder, catalog, histories, (problem) => problems.push(problem));
  // Only now: until its crawls and histories are restored, a file still has to be indexed by whoever opens the
  // archive next.
  if (unfinished.size > 0) await catalog.index({ captures: [], pages: [], fileLengths: unfinished });
  return { captures, pages, problems };
}

/** What other archives told of sites: see site-delta/. In import order, since the first account counts. */
async function restoreHistories(
  folder: ArchiveFolder,
  catalog: IndexedCatalog,
  histories: readonly CaptureFact[],
  onProblem: (problem: ReadProblem) => void,
): Promise<void> {
  const reader = openFolderReader(folder);
  try {
    for (const history of histories.toSorted((a, b) => a.at - b.at)) {
      const { file, offset, url } = history;
      const { payload } = await reader.read(history);
      await indexSiteDelta(payload.chunks(), future(), catalog).catch((error: unknown) => {
        if (!(error instanceof SiteDeltaError)) throw error;
        onProblem({ file, offset, reason: `${url} cannot be understood: ${error.message}` });
      });
    }
  } finally {
    await reader.close();
  }
}

const aheadOfTime = ([first, ...more]: readonly CaptureFact[]): string =>
  `${1 + more.length} of its captures are dated in the future (${new Date(first?.at ?? 0).toISOString()}): taken as dated, ` +
  'so that each stands as the newest of its page until then';

/** Reports those that are not. */
async function* datedBefore(
  time: Millis,
  records: AsyncIterable<ScannedRecord>,
  onLater: (fact: CaptureFact) => void,
): AsyncGenerator<ScannedRecord> {
  for await (const scanned of records) {
    if (scanned.fact.at >= time && isWebCapture(scanned.fact)) onLater(scanned.fact);
    yield scanned;
  }
}

const twiceTold = (count: number): string =>
  `${count} of its captures are known already, by the ids of their records, from another place in the archive: each counts once`;

export function bySeverity(problems: readonly ReadProblem[]) {
  const of = (wanted: Severity): ProblemPlace[] =>
    problems
      .filter(({ severity = 'error' }) => severity === wanted)
      .map(({ file, offset, reason }) => ({ file, offset, reason }));
  return { errors: of('error'), warnings: of('warning'), notes: of('note') };
}

/**
 * In the order they began. A crawl that was stopped and resumed has a log for each run: the last one has
 * everything.
 */
async function restoreCrawls(
  folder: ArchiveFolder,
  catalog: IndexedCatalog,
  logs: readonly CaptureFact[],
  onProblem: (problem: ReadProblem) => void,
): Promise<void> {
  const reader = openFolderReader(folder);
  try {
    const last = new Map<string, { log: CaptureFact; startedAt: number }>();
    for (const log of logs.toSorted((a, b) => a.at - b.at)) {
      const crawl = await crawlOf((await reader.read(log)).payload);
      if (!crawl) {
        const { file, offset } = log;
        onProblem({ file, offset, reason: `${log.url} cannot be understood: it is no log of a crawl` });
        continue;
      }
      // Not by its key, which changes when it is resumed under other settings.
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

/** A second pass over the file, so that the index lines of a large file need not be held in memory during the first. */
export async function writeIndex(folder: ArchiveFolder, name: string): Promise<void> {
  // With an object store the catalog is the only index: files there come by the thousand.
  if (folder.remote) return;
  const path = join(folder.warc, name);
  async function* facts() {
    for await (const { fact } of factsFromWarc(path)) yield fact;
  }
  await writeCdxj(indexPath(folder, name), facts());
}

/** Whether Daguerre wrote the file, by its first record. */
export async function isOurs(path: string): Promise<boolean> {
  for await (const record of readRecords(path)) {
    if (record.type !== 'warcinfo') return false;
    return Buffer.from(record.payload.bytes ?? [])
      .toString('latin1')
      .includes('software: Daguerre/');
  }
  return false;
}
