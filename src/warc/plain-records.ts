import { memoryBody } from '../model/body.ts';
import { anyHead, anyHeadFollows, NO_HEAD_END } from './any-head.ts';
import { parseArcHead } from './arc.ts';
import type { FileWindow } from './file-window.ts';
import { MEMORY_LIMIT } from './gzip-member.ts';
import { type ReadOptions, reporter } from './read-options.ts';
import { MAX_HEAD } from './record-head.ts';
import { makeRecord, streamBody, type WarcRecord } from './warc-record.ts';

/** Records of a file that is not compressed, one after the other. */
export async function* plainRecords(file: FileWindow, options: ReadOptions): AsyncGenerator<WarcRecord> {
  const problem = reporter(file, options);
  let offset = await skipBlank(file, options.from ?? 0);
  const to = Math.min(file.size, options.to ?? file.size);
  while (offset < to) {
    const head = anyHead(await file.at(offset, 64 * 1024));
    const isLong = head === NO_HEAD_END;
    const sure = isLong ? anyHead(await file.at(offset, MAX_HEAD)) : head;
    if (typeof sure === 'string') {
      problem(offset, sure);
      offset = await nextPlain(file, offset + 1);
      continue;
    }
    const from = offset + sure.length;
    const end = from + sure.blockSize;
    const next = end <= file.size ? await skipBlank(file, end) : end;
    const follows = next < file.size ? anyHeadFollows(await file.at(next, 64)) : true;
    if (end > file.size || !follows) {
      const found = await nextPlain(file, from);
      if (end > file.size && found >= file.size) problem(offset, 'the file ends inside this record');
      else problem(offset, `Content-Length is ${sure.blockSize}, but no record follows there`);
      offset = found;
      continue;
    }
    const block =
      sure.blockSize <= MEMORY_LIMIT
        ? memoryBody((await file.at(from, sure.blockSize)).subarray(0, sure.blockSize))
        : streamBody(sure.blockSize, () => file.chunks(from, sure.blockSize));
    yield await makeRecord({ ...sure, file: file.path, offset, length: next - offset, block });
    offset = next;
  }
  options.onEnd?.(offset);
}

async function skipBlank(file: FileWindow, offset: number): Promise<number> {
  for (;;) {
    const bytes = (await file.at(offset, 4)).subarray(0, 4);
    if (bytes.length === 0) return offset;
    let at = 0;
    while (at < bytes.length && (bytes[at] === 10 || bytes[at] === 13)) at++;
    if (at < bytes.length) return offset + at;
    offset += at;
  }
}

/** Any version: readers report what they do not understand. */
const WARC_LINE = /^WARC\/\d\./;

/** The next line that starts a record; the end of the file if there is none. */
export async function nextPlain(file: FileWindow, from: number): Promise<number> {
  const STEP = 1 << 20;
  // One byte back: the line end before a record may be the last byte skipped.
  for (let at = Math.max(0, from - 1); at < file.size; ) {
    const bytes = (await file.at(at, STEP)).subarray(0, STEP);
    for (let lf = bytes.indexOf(10); lf >= 0; lf = bytes.indexOf(10, lf + 1)) {
      const line = bytes.subarray(lf + 1, lf + 1 + 16 * 1024);
      if (WARC_LINE.test(line.toString('latin1', 0, 7)) || parseArcHead(line, 'strict')) return at + lf + 1;
    }
    if (at + bytes.length >= file.size) return file.size;
    // Overlap, so that a record line across the boundary is seen whole.
    at += bytes.length - 16 * 1024;
  }
  return file.size;
}
