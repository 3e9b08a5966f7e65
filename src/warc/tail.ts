import { open } from 'node:fs/promises';
import { header } from '../model/exchange.ts';
import { EVENT_END } from './event-records.ts';
import { type ReadProblem, readRecords } from './read-records.ts';

export interface Tail {
  /** Bytes of the file. */
  readonly size: number;
  /**
   * Where the last whole record ends. There may be damage before it: what follows damage is good, and not
   * part of the tail.
   */
  readonly recordEnd: number;
  /** Where the last whole event ends: the length to which a file we wrote must be truncated. */
  readonly eventEnd: number;
  /** The first damage found. */
  readonly problem?: ReadProblem;
}

/**
 * Checks what a crash left, from `from` on (an offset known to be good, where a record starts or the file
 * ends). Rule: the last record of every event we write carries `WARC-Event-End`; a record without
 * `WARC-Page-ID` (warcinfo) belongs to no event and is whole by itself. An event's records are contiguous, so
 * everything up to such a record is whole. Files of other tools have no such mark: for them only `recordEnd`
 * counts.
 */
export async function checkTail(path: string, from: number): Promise<Tail> {
  const file = await open(path);
  const { size } = await file.stat();
  await file.close();
  // A file shorter than its known length lost committed bytes: all of it must be checked.
  const start = from <= size ? from : 0;
  let recordEnd = start;
  let eventEnd = start;
  let problem: ReadProblem | undefined;
  const onProblem = (found: ReadProblem): void => {
    problem ??= found;
  };
  for await (const record of readRecords(path, { from: start, onProblem })) {
    recordEnd = record.offset + record.length;
    const isEnd = header(record.fields, EVENT_END) !== undefined;
    if (isEnd || header(record.fields, 'warc-page-id') === undefined) eventEnd = recordEnd;
  }
  return { size, recordEnd, eventEnd, ...(problem ? { problem } : {}) };
}
