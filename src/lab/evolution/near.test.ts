import { describe, expect, it } from 'vitest';
import { historyVersions } from '../data/history-versions.ts';
import { parseHistory } from '../data/site-history.ts';
import type { Measured } from '../experiment/experiment.ts';
import { printed } from '../experiment/text-table.ts';
import { type NearInput, near } from './near.ts';

type Given = Partial<Omit<NearInput, 'versions'>>;

async function run(rows: readonly string[], { thresholds, ...given }: Given = {}) {
  const text = rows.map((row) => row.replaceAll(' ', '\t')).join('\n');
  const outcome = await near.run({
    versions: historyVersions(parseHistory(text, 'h.tsv'), 10),
    thresholds: { alpha: 0.5, beta: 0.6, gamma: 0.5, theta: 0.5, ...thresholds },
    from: 0,
    test: 1,
    target: '/',
    tree: 'path',
    ...given,
  });
  return outcome;
}

async function measured(rows: readonly string[], given?: Given): Promise<Measured> {
  const outcome = await run(rows, given);
  if (outcome.kind === 'skipped') throw new Error(outcome.reason);
  return outcome;
}

/** Six pages in /b/ that change in the given spans, and one in /b/f/. */
function history(b: readonly number[], f: readonly number[]): string[] {
  const rows = ['/b/f/q A 0 1 first'];
  for (let i = 0; i < 6; i++) {
    rows.push(`/b/p${i} A 0 1 first`);
    for (const span of b) rows.push(`/b/p${i} M ${10 * span + 3} 1 v${span}`);
  }
  for (const span of f) rows.push(`/b/f/q M ${10 * span + 3} 1 v${span}`);
  return rows;
}

describe('lab near', () => {
  it("the paper's Example 4 => its rule, with directories as /, /a/", async () => {
    const { data, text } = await measured(history([1, 2], [3]));
    const rule = { confidence: 1, coc: -1, foc: 2 / 3 };
    expect(data).toMatchObject({ versions: 4, rules: [rule, rule], metrics: null });
    expect(JSON.stringify(data)).toContain('{"if":["/","/b/"],"then":"/b/f/"');
    expect(JSON.stringify(data)).toContain('{"if":["/b/"],"then":"/b/f/"');
    expect(printed(text)).toContain('/b/f/');
  });

  it('4 training versions, the next as test, /b/f/ unchanged in it => skipped, nothing missed', async () => {
    const { data } = await measured(history([1, 2, 4], [3]), { train: 4 });
    expect(data).toMatchObject({
      versions: 5,
      metrics: { bypassRatio: 1 / 7, overallPrecision: 1, overallRecall: 1, changeRecall: 1 },
      skips: { directories: 1, right: 1 },
      checkedHeads: { skips: { directories: 1, right: 1 } },
    });
  });

  it('/b/f/ alone changes in the test => missed by Eq. 5, not by Eq. 9; with checked heads it is visited', async () => {
    const { data } = await measured(history([1, 2], [3, 4]), { train: 4 });
    expect(data).toMatchObject({
      metrics: { bypassRatio: 1 / 7, changeRecall: 0, changeRecallEq9: 1 },
      skips: { directories: 1, right: 0 },
      checkedHeads: { metrics: { bypassRatio: 0, changeRecall: 1 }, skips: { directories: 0 } },
    });
  });

  it('a page of /b/f/ that is new and one that went => OR 6/7, OP 6/7', async () => {
    const rows = [...history([1, 2, 4], [3]), '/b/f/new A 43 1 x', '/b/f/q D 43 0 -'];
    const { data } = await measured(rows, { train: 4 });
    expect(data).toMatchObject({
      metrics: { bypassRatio: 1 / 7, overallRecall: 6 / 7, overallPrecision: 6 / 7, changeRecall: 6 / 8 },
    });
  });

  it('another target => rules that begin there act', async () => {
    const { data } = await measured(history([1, 2, 4], [3]), { train: 4, target: '/b/' });
    expect(data).toMatchObject({ skips: { directories: 1 } });
    expect(await run(history([1, 2], [3]), { target: '/x/' })).toMatchObject({
      kind: 'skipped',
      reason: expect.stringContaining('/x/'),
    });
  });

  it('3 of 10 nodes of the head and α = .3 => significant; a little more => not', async () => {
    // Each root transition changes 3 of its 10 nodes: itself, six pages, /b/ and its two.
    const rows = ['/b/q A 0 1 x', '/b/r A 0 1 x', ...[1, 2, 3, 4, 5, 6].map((i) => `/p${i} A 0 1 x`)];
    for (const span of [1, 2]) for (const i of [1, 2, 3]) rows.push(`/p${i} M ${10 * span} 1 v${span}`);
    rows.push('/b/q M 30 1 y');
    const rulesAt = async (alpha: number): Promise<number> => {
      const { data } = await measured(rows, { thresholds: { alpha, beta: 0.6, theta: 0.5 } });
      return (data as { rules: unknown[] }).rules.length;
    };
    expect([await rulesAt(0.3), await rulesAt(0.3000001)]).toEqual([1, 0]);
  });
});

describe('bad input', () => {
  it('one version => no rules, said so', async () => {
    const { data, text } = await measured(['/a A 0 1 x']);
    expect(data).toMatchObject({ versions: 1, rules: [] });
    expect(printed(text)).toContain('one version has no change');
  });

  it('more versions asked for than there are => refused with both numbers', async () => {
    expect(await run(history([1], []), { train: 5, test: 2 })).toMatchObject({
      kind: 'skipped',
      reason: expect.stringMatching(/has 2 versions, and 7 are asked for/),
    });
  });

  it('empty versions, missing weeks, a path that is page and directory, contradictions => counted', async () => {
    const rows = [
      '/a A 0 1 x',
      '/a/b A 0 1 x',
      '/%61 M 1 1 y',
      '/a D 22 0 -',
      '/a/b D 22 0 -',
      '/c D 33 0 -',
    ];
    const { data } = await measured(rows);
    expect(data).toMatchObject({
      versions: 4,
      spansWithoutEvents: 1,
      emptyVersions: 2,
      pagesAndDirectories: 1,
      repairs: { otherSpellings: 1, wentWhileAbsent: 1 },
    });
  });

  it('200,000 siblings, depth 600 => mined, levels past 500 are part of the name', async () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => `/s/${i} A 0 1 x`);
    const deep = `/${'d/'.repeat(600)}`;
    rows.push(`${deep}p A 0 1 x`, '/s/7 M 12 1 y', `${deep}p M 12 1 y`);
    const { data } = await measured(rows);
    expect(data).toMatchObject({ versions: 2, directories: 502, pages: 200_001 });
  }, 120_000);
});
