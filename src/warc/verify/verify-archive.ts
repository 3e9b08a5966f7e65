import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Millis } from '../../model/time.ts';
import { readCdxj } from '../cdxj.ts';
import type { CertificateRecord } from '../certificate-records.ts';
import type { ProblemPlace, ReadProblem } from '../read-options.ts';
import { archiveFolders } from '../warc-store.ts';
import { Conclusions } from './conclusions.ts';
import { planRanges } from './plan-ranges.ts';
import type { Range, RangeReport } from './range-report.ts';
import { checkRanges, type OnStep } from './range-threads.ts';

export interface VerifyProgress {
  /** Bytes checked so far, of all files. */
  readonly done: number;
  readonly size: number;
  readonly files: number;
  readonly records: number;
}

export interface VerifyFilesOptions {
  readonly onProgress?: (progress: VerifyProgress) => void;
  /** Committed lengths by file name: anything beyond is being written, or was when a crawl was killed. */
  readonly lengths?: ReadonlyMap<string, number>;
  /** Files that a crawl has not closed yet: their index is written on closing. */
  readonly unfinished?: (file: string) => boolean;
  readonly threads?: number;
  /** Records dated from this time on are reported. */
  readonly future?: Millis;
  /** For records that are not in the archive's folder. */
  readonly elsewhere?: ElsewhereFiles;
  /** Bytes per range of one thread; tests use few. */
  readonly rangeBytes?: number;
}

/** Record files whose home is not the archive's folder. They have no indexes. */
export interface ElsewhereFiles {
  readonly files: readonly { readonly file: string; readonly size: number }[];
  /** The path of a copy, made for this purpose. */
  local(file: string): Promise<string>;
  /** Bytes of copies that may be needed at the same time. */
  readonly atOnce: number;
}

export interface Verification {
  readonly records: number;
  /** What is lost, or not what it claims to be. File names without folder. */
  readonly errors: readonly ProblemPlace[];
  /** What can be served, but departs from the standard. */
  readonly warnings: readonly ProblemPlace[];
  readonly notes: readonly ProblemPlace[];
  readonly certificates: readonly CertificateRecord[];
}

const WARC_NAME = /\.w?arc(\.gz)?$/i;

/**
 * Checks an archive: every gzip member and record header, every digest, that each revisit's payload is present,
 * that each record file has an index, and that its lines are in order, name every capture of the file, and nothing
 * but records of that URL, time and digest. Anything replay can serve is not an error. Memory: about 70 bytes per
 * record.
 */
export async function verifyWarcs(archive: string, options: VerifyFilesOptions = {}): Promise<Verification> {
  if (options.elsewhere) return verifyElsewhere(options.elsewhere, options);
  const { warc, indexes } = archiveFolders(archive);
  const { future } = options;
  // Before the records are read: an index written meanwhile names records that come later.
  const indexFiles = await names(indexes, /\.cdxj$/i);
  const files: Range[] = [];
  const onDisk = new Map<string, number>();
  for (const file of await names(warc, WARC_NAME)) {
    const path = join(warc, file);
    const { size } = await stat(path);
    onDisk.set(file, size);
    const to = Math.min(size, options.lengths?.get(file) ?? size);
    files.push({ file, path, from: 0, to, ...(future !== undefined && { future }) });
  }
  const conclusions = new Conclusions();
  const bytes = files.reduce((sum, { to }) => sum + to, 0);
  await checkFiles(files, conclusions, options, stepCounter(bytes, files.length, options));
  conclusions.links();

  const ends = new Map(files.map(({ file, to }) => [file, to]));
  for (const name of indexFiles) {
    const onProblem = ({ offset, reason }: ReadProblem): void =>
      conclusions.add('error', { file: name, offset, reason });
    for await (const entry of readCdxj(join(indexes, name), onProblem)) {
      const end = ends.get(basename(entry.filename));
      const isUncommitted =
        end !== undefined &&
        entry.offset >= end &&
        entry.offset < (onDisk.get(basename(entry.filename)) ?? 0);
      if (!isUncommitted) conclusions.line(name, entry);
    }
  }
  for (const { file } of files) {
    const index = `${file}.cdxj`;
    const found = indexFiles.includes(index) || existsSync(join(indexes, index));
    if (found) conclusions.missingLines(file, index);
    else if (options.unfinished?.(file)) {
      const reason =
        'what writes this file has not ended, or was killed: its index is written when it ends, or by whoever next has the archive alone';
      conclusions.add('note', { file, offset: 0, reason });
    } else {
      const reason = `the index of ${file} is missing: 'daguerre reindex' writes it anew`;
      conclusions.add('error', { file: index, offset: 0, reason });
    }
  }
  return conclusions.all();
}

/** One batch of files at a time: as many as there may be copies of. */
async function verifyElsewhere(
  { files, local, atOnce }: ElsewhereFiles,
  options: VerifyFilesOptions,
): Promise<Verification> {
  const { future } = options;
  const conclusions = new Conclusions();
  const size = files.reduce((sum, known) => sum + known.size, 0);
  const onStep = stepCounter(size, files.length, options);
  let batch: Range[] = [];
  let bytes = 0;
  for (const known of files) {
    if (batch.length > 0 && bytes + known.size > atOnce) {
      await checkFiles(batch, conclusions, options, onStep);
      [batch, bytes] = [[], 0];
    }
    const to = Math.min(known.size, options.lengths?.get(known.file) ?? known.size);
    const path = await local(known.file);
    batch.push({ file: known.file, path, from: 0, to, ...(future !== undefined && { future }) });
    bytes += known.size;
  }
  await checkFiles(batch, conclusions, options, onStep);
  conclusions.links();
  return conclusions.all();
}

function stepCounter(size: number, files: number, { onProgress }: VerifyFilesOptions): OnStep {
  const sum = { done: 0, records: 0 };
  return (_file, bytes, records) => {
    sum.done += bytes;
    sum.records += records;
    onProgress?.({ ...sum, size, files });
  };
}

async function checkFiles(
  files: readonly Range[],
  conclusions: Conclusions,
  options: VerifyFilesOptions,
  onStep: OnStep,
) {
  const { threads = 1, rangeBytes } = options;
  const ranges: Range[] = [];
  for (const file of files) ranges.push(...(await planRanges(file, rangeBytes)));
  const reports = await checkRanges(ranges, threads, onStep);
  for (const { file } of files) {
    let at = 0;
    for (const report of reports.filter(({ range }) => range.file === file)) {
      const { range } = report;
      if (range.from === at) {
        conclusions.report(report);
        at = report.end;
      } else if (at < range.to) {
        // What looked like a record was inside another one: this part is read as a single reader would.
        const again: RangeReport[] = await checkRanges([{ ...range, from: at }], 1, () => {});
        for (const one of again) {
          conclusions.report(one);
          at = one.end;
        }
      }
    }
  }
}

async function names(folder: string, pattern: RegExp): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => pattern.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
