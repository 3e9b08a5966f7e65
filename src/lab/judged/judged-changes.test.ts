import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sharedData } from '../../../test/shared-data.ts';
import { changedPage, readComparisons, readPages } from './judged-changes.ts';
import { readableLines } from './readable-lines.ts';

const TABLE = readFileSync(new URL('../../../test/judged/changes.tsv', import.meta.url), 'utf8');
const comparisons = readComparisons(TABLE);
const small = 'openbsd-index';
const [versions, pages] = [sharedData(`versions/${small}.tar.xz`), sharedData('segmentation/random.tar.xz')];

describe('the table of judged changes', () => {
  test('at least 320 comparisons, 100 of them of styled pages, 60 judged twice', () => {
    expect(comparisons.length).toBeGreaterThanOrEqual(320);
    expect(comparisons.filter(({ styled }) => styled).length).toBeGreaterThanOrEqual(100);
    expect(comparisons.filter(({ again }) => again !== undefined)).toHaveLength(60);
  });

  test('most compare changes of one page; ties are few', () => {
    const within = comparisons.filter(({ a, b }) => a.change.page === b.change.page).length;
    expect(within / comparisons.length).toBeGreaterThanOrEqual(0.7);
    const ties = comparisons.filter(({ judgement }) => judgement === 'tie').length;
    expect(comparisons.length - ties).toBeGreaterThanOrEqual(300);
  });

  test('no comparison stands twice, in either order', () => {
    const keys = comparisons.map(({ a, b }) =>
      [a, b]
        .map(({ change, digests }) => `${JSON.stringify(change)} ${digests.join(' ')}`)
        .sort()
        .join(' | '),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('a judgement that is none => an error that names the line', () => {
    const broken = TABLE.split('\n')
      .slice(0, 2)
      .join('\n')
      .replace(/\t(a|b|tie)\t/u, '\tperhaps\t');
    expect(() => readComparisons(broken)).toThrow("line 2: 'perhaps' is not a, b or tie");
  });
});

if (versions === undefined || pages === undefined) {
  process.stderr.write('judged changes: real versions are not there (../shared/data), skipped\n');
}

describe.skipIf(versions === undefined || pages === undefined)('with ../shared/data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daguerre-judged-'));
  const folders = { versions: folder, annotated: join(folder, 'random') };
  const unpack = (archive: string, ...which: string[]): void => {
    execFileSync('tar', ['-xf', archive, '-C', folder, '--no-same-owner', ...which]);
  };
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('versions => the two pages that were judged', async () => {
    unpack(versions as string);
    const own = comparisons.filter(({ a, b }) => [a, b].every(({ change }) => change.page === small));
    expect(own.length).toBeGreaterThan(0);
    for await (const { a, b } of readPages(own, folders)) {
      for (const { old, now } of [a, b]) {
        expect(readableLines(Buffer.from(now).toString())).not.toEqual(
          readableLines(Buffer.from(old).toString()),
        );
      }
    }
  });

  test('edits => the same edited pages as when they were judged', { timeout: 60_000 }, async () => {
    unpack(pages as string, '--wildcards', '*.blocks.html');
    const sides = comparisons.filter(({ styled }) => styled).flatMap(({ a, b }) => [a, b]);
    for (const side of sides) {
      const { old, now } = await changedPage(side, folders);
      expect(Buffer.compare(old, now)).not.toBe(0);
    }
  });

  test('a page that is not the one that was judged => an error that names it', async () => {
    const [first] = comparisons.filter(({ a }) => a.change.page === small);
    if (!first) throw new Error(`the table holds no comparison of ${small}`);
    const other = { ...first.a, digests: ['0', '0'] as const };
    await expect(changedPage(other, folders)).rejects.toThrow(`${small} `);
  });
});
