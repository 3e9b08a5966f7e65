import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { element, page } from '../../../test/drawn-page.ts';
import { judgedNodes, readJudgedBlocks } from './judged-blocks.ts';
import { nodeAt, snapshotPath } from './snapshot-path.ts';

const snapshot = page(
  element(
    'body',
    {},
    element('div', {}, 'one'),
    element('div', {}, element('p', {}, 'two'), element('a', { href: 'https://x.test/' }, 'three')),
  ),
);

describe('paths', () => {
  test('each element => its path => the element', () => {
    const paths = snapshot.nodes.flatMap((node, i) =>
      node.kind === 'element' ? [snapshotPath(snapshot, i)] : [],
    );
    expect(paths).toEqual(['', 'div', 'div[2]', 'div[2]/p', 'div[2]/a']);
    expect(paths.map((path) => nodeAt(snapshot, path))).toEqual([0, 1, 3, 4, 6]);
  });

  test('a path that leads nowhere => undefined', () => {
    expect(nodeAt(snapshot, 'div[3]/p')).toBeUndefined();
  });
});

describe('judged blocks', () => {
  const [judged] = readJudgedBlocks(
    'page\tversion\tdigest\tpath\tjudgement\nnews\t1\td\tdiv[2]\tnone\nnews\t1\td\tdiv[2]/a\tad\n',
  );

  test('a block in a block => the inner one decides; outside of all => undefined', () => {
    expect(judged && judgedNodes(snapshot, judged)).toEqual([
      ...[undefined, undefined, undefined],
      ...['none', 'none', 'none'],
      ...['ad', 'ad'],
    ]);
  });

  test('a block that is not there => an error that names version and path', () => {
    const other = {
      page: 'news',
      version: '1',
      digest: 'd',
      blocks: [{ path: 'main', judgement: 'ad' }],
    } as const;
    expect(() => judgedNodes(snapshot, other)).toThrow('news 1 has no main');
  });

  test('the table: at least 300 blocks of seven sites, a hundred of them advertisements or promos', () => {
    const table = readJudgedBlocks(
      readFileSync(new URL('../../../test/judged/advertisements.tsv', import.meta.url), 'utf8'),
    );
    const blocks = table.flatMap((version) => version.blocks);
    expect(new Set(table.map((version) => version.page)).size).toBe(7);
    expect(blocks.length).toBeGreaterThanOrEqual(300);
    expect(
      blocks.filter(({ judgement }) => judgement === 'ad' || judgement === 'promo').length,
    ).toBeGreaterThan(100);
  });

  test('a judgement that is none => an error that names the line', () => {
    expect(() => readJudgedBlocks('head\nnews\t1\td\tdiv\tmaybe')).toThrow("line 2: 'maybe'");
  });
});
