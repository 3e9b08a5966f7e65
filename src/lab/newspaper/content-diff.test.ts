import { describe, expect, it } from 'vitest';
import type { ContentBlock, NewsContent } from './content.ts';
import { combined, diffContent, displaced } from './content-diff.ts';

const link = (key: string, text = key) => ({ key, link: { href: `/${key}`, text } });
const block = (id: string, weight: number, ...items: ContentBlock['items'][number][]): ContentBlock => ({
  id,
  role: 'list',
  weight,
  items,
});
const page = (...blocks: ContentBlock[]): NewsContent => ({ title: 'T', blocks });

describe('diffContent', () => {
  it('equal contents => no change', () => {
    expect(diffContent(page(block('a', 1, link('x'))), page(block('a', 1, link('x'))))).toEqual([]);
  });

  it('one link of two inserted in a block of weight 0.5 => insert of importance 0.25', () => {
    const changes = diffContent(
      page(block('a', 0.5, link('x'))),
      page(block('a', 0.5, link('x'), link('y'))),
    );
    expect(changes).toEqual([
      { kind: 'insert', element: 'link', block: 'a', importance: 0.25, after: 'y </y>' },
    ]);
  });

  it('new text of a link => update with before and after', () => {
    const [change, ...others] = diffContent(
      page(block('a', 1, link('x'))),
      page(block('a', 1, link('x', 'new'))),
    );
    expect(others).toEqual([]);
    expect(change).toMatchObject({
      kind: 'update',
      element: 'link',
      before: 'x </x>',
      after: 'new </x>',
      importance: 0.6,
    });
  });

  it('a link that changes its block => one move, no insert, no delete', () => {
    const old = page(block('a', 1, link('x'), link('y')), block('b', 1, link('z')));
    const now = page(block('a', 1, link('y')), block('b', 1, link('z'), link('x')));
    expect(diffContent(old, now)).toMatchObject([
      { kind: 'move', element: 'link', block: 'b', fromBlock: 'a' },
    ]);
  });

  it('a link shown in two blocks and removed from one => a delete', () => {
    const old = page(block('a', 1, link('x')), block('b', 1, link('x'), link('z')));
    const now = page(block('a', 1), block('b', 1, link('x'), link('z', 'new')));
    expect(diffContent(old, now).map(({ kind, block: id }) => `${kind} ${id}`)).toEqual([
      'delete a',
      'update b',
    ]);
  });

  it('new order within a block => moves of little importance, as few as can be', () => {
    const old = page(block('a', 1, link('x'), link('y'), link('z')));
    const now = page(block('a', 1, link('z'), link('x'), link('y')));
    const changes = diffContent(old, now);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ kind: 'move', fromBlock: 'a', block: 'a', before: 'z </z>' });
    expect(changes[0]?.importance).toBeLessThan(0.02);
  });

  it('blocks inserted, deleted, moved => operations on blocks', () => {
    const [a, b, c] = [block('a', 1, link('x')), block('b', 0.5, link('y')), block('c', 0.4, link('z'))];
    expect(diffContent(page(a), page(a, b))).toMatchObject([
      { kind: 'insert', element: 'block', block: 'b', importance: 0.5 },
    ]);
    expect(diffContent(page(a, b), page(a))).toMatchObject([
      { kind: 'delete', element: 'block', block: 'b', importance: 0.4 },
    ]);
    expect(diffContent(page(a, b, c), page(c, a, b))).toMatchObject([
      { kind: 'move', element: 'block', block: 'c' },
    ]);
  });

  it('title changed => an update', () => {
    expect(diffContent(page(), { title: 'U', blocks: [] })).toMatchObject([
      { kind: 'update', before: 'T', after: 'U' },
    ]);
  });
});

describe('displaced', () => {
  it('abcde => eabdc: e and one of c, d', () => {
    expect(displaced([...'abcde'], [...'eabdc'])).toHaveLength(2);
    expect(displaced([...'abc'], [...'abxc'])).toEqual([]);
  });
});

describe('combined', () => {
  it('0.5 and 0.5 => 0.75; none => 0', () => {
    const half = { kind: 'insert', element: 'text', block: 'a', importance: 0.5 } as const;
    expect(combined([half, half])).toBe(0.75);
    expect(combined([])).toBe(0);
  });
});
