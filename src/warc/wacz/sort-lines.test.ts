import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sortLines } from './sort-lines.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'daguerre-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

async function sorted(lines: readonly string[], runLines: number): Promise<string[]> {
  const out: string[] = [];
  for await (const batch of sortLines(each(lines), join(dir, 'spill'), runLines)) out.push(...batch);
  return out;
}

describe('sortLines', () => {
  it('any lines, any run length => as Array.sort has them, repeats dropped, no spill file left', async () => {
    const line = fc.string({
      unit: fc.constantFrom('a', 'b', ')', '/', '?', ' '),
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 60 }),
        fc.integer({ min: 1, max: 70 }),
        async (lines, run) => {
          expect(await sorted(lines, run)).toEqual([...new Set(lines)].sort());
          expect(await readdir(dir)).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('the reader stops early => spill files are removed', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `k${(i * 7919) % 5000}`);
    for await (const batch of sortLines(each(lines), join(dir, 'spill'), 500)) {
      expect(batch.length).toBeGreaterThan(0);
      expect((await readdir(dir)).length).toBeGreaterThan(0);
      break;
    }
    expect(await readdir(dir)).toEqual([]);
  });
});
