import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { checkRange } from './check-range.ts';
import type { Range, RangeReport } from './range-report.ts';
import type { ThreadAnswer } from './range-thread.ts';

/** Reports how much further a range has come: bytes and records since the last report. */
export type OnStep = (file: string, bytes: number, records: number) => void;

/** Smaller archives are read faster than threads start. */
const WORTH_THREADS = 8 << 20;

/**
 * Checks ranges in parallel threads, as many as allowed, and returns the reports in the order of the ranges. When
 * run from source, as in tests, everything happens in this thread.
 */
export async function checkRanges(
  ranges: readonly Range[],
  threads: number,
  onStep: OnStep,
): Promise<RangeReport[]> {
  const module = fileURLToPath(new URL('./range-thread.js', import.meta.url));
  const bytes = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const reports: RangeReport[] = [];
  const steps = ranges.map(({ file, from, to }) => {
    let at = from;
    let records = 0;
    return (offset: number, checked: number): void => {
      onStep(file, Math.min(offset, to) - at, checked - records);
      at = Math.min(offset, to);
      records = checked;
    };
  });
  const finish = (i: number, report: RangeReport): void => {
    reports[i] = report;
    steps[i]?.(report.range.to, report.records);
  };
  const count = Math.min(threads, ranges.length);
  if (count <= 1 || bytes < WORTH_THREADS || !existsSync(module)) {
    for (const [i, range] of ranges.entries()) finish(i, await checkRange(range, steps[i]));
    return reports;
  }
  let next = 0;
  const take = (): number | undefined => (next < ranges.length ? next++ : undefined);
  const workers = Array.from({ length: count }, () => new Worker(module));
  try {
    await Promise.all(workers.map((worker) => drive(worker, ranges, take, steps, finish)));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return reports;
}

/** One range after the other, until there are none left. */
function drive(
  worker: Worker,
  ranges: readonly Range[],
  take: () => number | undefined,
  steps: readonly ((offset: number, records: number) => void)[],
  finish: (index: number, report: RangeReport) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let current = -1;
    function more(): void {
      const index = take();
      if (index === undefined) {
        resolve();
        return;
      }
      current = index;
      worker.postMessage(ranges[index]);
    }
    worker.on('message', (answer: ThreadAnswer) => {
      if (answer.kind === 'step') steps[current]?.(answer.offset, answer.records);
      else if (answer.kind === 'failed')
        reject(Object.assign(new Error(answer.message), answer.code !== undefined && { code: answer.code }));
      else {
        finish(current, answer.report);
        more();
      }
    });
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`a checking thread ended with code ${code}`)));
    more();
  });
}
