import { FileWindow } from './file-window.ts';
import { gzipRecords } from './gzip-records.ts';
import { plainRecords } from './plain-records.ts';
import type { ReadOptions } from './read-options.ts';
import { fromSpool } from './spool.ts';
import type { WarcRecord } from './warc-record.ts';

export type { ReadOptions, ReadProblem } from './read-options.ts';

/**
 * Every record of a WARC or ARC file, plain or gzipped, in order. Damage never throws: it is reported to
 * `onProblem`, and the next record is searched for. A stream is first written to a temporary file, because
 * bodies may be read more than once.
 */
export async function* readRecords(
  source: string | AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<WarcRecord> {
  if (typeof source !== 'string') {
    yield* fromSpool(source, (path) => readRecords(path, options));
    return;
  }
  const file = await FileWindow.open(source);
  try {
    yield* (await isGzip(file, options.from)) ? gzipRecords(file, options) : plainRecords(file, options);
  } finally {
    await file.close();
  }
}

export async function isGzip(file: FileWindow, offset = 0): Promise<boolean> {
  const start = await file.at(offset, 2);
  return start[0] === 0x1f && start[1] === 0x8b;
}
