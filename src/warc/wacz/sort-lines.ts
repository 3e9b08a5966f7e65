import { createReadStream } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { naming } from '../../ports/system-error.ts';
import { lineBatches } from './line-batches.ts';

/** Lines sorted in memory at once: about 80 MB of CDXJ. */
const RUN_LINES = 200_000;
/** Lines passed on at once while merging. */
const BATCH_LINES = 1024;

/**
 * Sorts any number of ASCII lines in bounded memory, drops exact repeats, and yields them in batches. An index
 * comes from the catalog almost sorted, but not quite: the key of a POST includes its method and body, so it
 * sorts elsewhere than its URL. Runs that follow one another share a spill file, so that the usual index has
 * one run or very few. Spill files are named `<spill>.run-N` and removed at the end.
 */
export async function* sortLines(
  lines: AsyncIterable<string>,
  spill: string,
  runLines = RUN_LINES,
): AsyncGenerator<string[]> {
  const runs: { readonly path: string; last: string }[] = [];
  let held: string[] = [];

  async function spillRun(): Promise<void> {
    held.sort();
    const first = held[0] as string;
    const last = held.at(-1) as string;
    let run = runs.find((candidate) => candidate.last <= first);
    if (run === undefined) {
      run = { path: `${spill}.run-${runs.length}`, last };
      runs.push(run);
      await rm(run.path, { force: true });
    }
    run.last = last;
    await naming(run.path, appendFile(run.path, `${held.join('\n')}\n`, 'latin1'));
    held = [];
  }

  try {
    for await (const line of lines) {
      held.push(line);
      if (held.length >= runLines) await spillRun();
    }
    if (runs.length === 0) {
      held.sort();
      const all = withoutRepeats(held);
      for (let i = 0; i < all.length; i += BATCH_LINES) yield all.slice(i, i + BATCH_LINES);
      return;
    }
    if (held.length > 0) await spillRun();
    yield* merge(runs.map((run) => run.path));
  } finally {
    for (const run of runs) await rm(run.path, { force: true });
  }
}

function withoutRepeats(sorted: readonly string[]): string[] {
  return sorted.filter((line, i) => i === 0 || line !== sorted[i - 1]);
}

interface Cursor {
  readonly batches: AsyncGenerator<string[]>;
  batch: readonly string[];
  next: number;
}

async function* merge(paths: readonly string[]): AsyncGenerator<string[]> {
  let cursors: Cursor[] = paths.map((path) => ({
    batches: lineBatches(createReadStream(path, { highWaterMark: 256 * 1024 })),
    batch: [],
    next: 0,
  }));
  try {
    for (const cursor of cursors) await refill(cursor);
    cursors = cursors.filter((cursor) => cursor.batch.length > 0);
    let out: string[] = [];
    let previous: string | undefined;
    while (cursors.length > 0) {
      // Few runs: checking each is quicker than maintaining a heap.
      let least = cursors[0] as Cursor;
      for (const cursor of cursors) {
        if ((cursor.batch[cursor.next] as string) < (least.batch[least.next] as string)) least = cursor;
      }
      const line = least.batch[least.next++] as string;
      if (line !== previous) out.push(line);
      previous = line;
      if (out.length >= BATCH_LINES) {
        yield out;
        out = [];
      }
      if (least.next === least.batch.length && !(await refill(least))) {
        cursors = cursors.filter((cursor) => cursor !== least);
      }
    }
    if (out.length > 0) yield out;
  } finally {
    for (const cursor of cursors) await cursor.batches.return(undefined);
  }
}

async function refill(cursor: Cursor): Promise<boolean> {
  const next = await cursor.batches.next();
  cursor.batch = next.done === true ? [] : next.value;
  cursor.next = 0;
  return cursor.batch.length > 0;
}
