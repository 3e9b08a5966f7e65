import type { LimitSpec } from '../model/crawl.ts';
import type { SkipReason } from '../model/fault.ts';

/** What a skip says of the limit that made it. */
export function limitDetail({ pages, time, size }: LimitSpec, reason: SkipReason): string {
  if (reason === 'page-limit') return `page limit of ${pages}`;
  return reason === 'time-limit' ? `time limit of ${time / 1000} s` : `size limit of ${size} bytes`;
}
