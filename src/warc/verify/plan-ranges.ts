import { FileWindow } from '../file-window.ts';
import { nextMember } from '../gzip-records.ts';
import { nextPlain } from '../plain-records.ts';
import { isGzip } from '../read-records.ts';
import type { Range } from './range-report.ts';

/** Bytes of a range: a few seconds of work for one thread. */
export const RANGE_BYTES = 16 << 20;

/**
 * Cuts a file into ranges that threads can check in parallel. Where a record starts is guessed: a gzip member, or a
 * line, that looks like the start of one. The caller must check that each range began where the one before it ended.
 */
export async function planRanges(range: Range, rangeBytes = RANGE_BYTES): Promise<readonly Range[]> {
  const { path, from, to } = range;
  const starts = [from];
  if (to - from > rangeBytes) {
    const window = await FileWindow.open(path);
    try {
      const next = (await isGzip(window)) ? nextMember : nextPlain;
      for (let at = from + rangeBytes; at < to; ) {
        const start = await next(window, at);
        if (start === undefined || start >= to) break;
        starts.push(start);
        at = start + rangeBytes;
      }
    } finally {
      await window.close();
    }
  }
  return starts.map((start, i) => ({ ...range, from: start, to: starts[i + 1] ?? to }));
}
