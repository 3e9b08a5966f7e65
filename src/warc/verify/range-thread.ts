import { parentPort } from 'node:worker_threads';
import { checkRange } from './check-range.ts';
import type { Range, RangeReport } from './range-report.ts';

export type ThreadAnswer =
  | { readonly kind: 'step'; readonly offset: number; readonly records: number }
  | { readonly kind: 'done'; readonly report: RangeReport }
  | { readonly kind: 'failed'; readonly message: string; readonly code?: string };

/** A thread that checks the ranges it is sent, one at a time. */
parentPort?.on('message', (range: Range) => void check(range));

async function check(range: Range): Promise<void> {
  const answer = (value: ThreadAnswer, transfer: ArrayBufferLike[] = []): void =>
    parentPort?.postMessage(value, transfer as ArrayBuffer[]);
  try {
    const report = await checkRange(range, (offset, records) => answer({ kind: 'step', offset, records }));
    answer({ kind: 'done', report }, [report.keys.buffer, report.ids.buffer, report.idOffsets.buffer]);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    answer({ kind: 'failed', message, ...(code !== undefined && { code }) });
  }
}
