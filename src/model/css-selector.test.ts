import { describe, expect, it } from 'vitest';
import { parseSelector, select } from './css-selector.ts';
import type { SnapshotNode } from './page-snapshot.ts';

const box = [0, 0, 1, 1] as const;
const element = (parent: number, tag: string, attributes: Record<string, string> = {}): SnapshotNode => ({
  kind: 'element',
  ...{ parent, box, tag, style: 0, attributes },
});
/** body > main#lead > (div.teaser.big > a[href]) , aside > div.teaser */
const nodes: SnapshotNode[] = [
  element(-1, 'body'),
  element(0, 'main', { id: 'lead' }),
  element(1, 'div', { class: 'teaser big' }),
  element(2, 'a', { href: 'https://example.org/news/1' }),
  element(0, 'aside'),
  element(4, 'div', { class: 'teaser' }),
];
const chosen = (text: string): number[] => select({ nodes }, parseSelector(text));

describe('selectors over a snapshot', () => {
  it.each([
    ['div', [2, 5]],
    ['#lead', [1]],
    ['.teaser', [2, 5]],
    ['div.teaser.big', [2]],
    ['main .teaser', [2]],
    ['body > .teaser', []],
    ['aside > .teaser', [5]],
    ['body main>div a', [3]],
    ['a[href^="https://example.org/news"], aside', [3, 4]],
    ['[class~=big]', [2]],
    ['[href]', [3]],
    ['*[id=lead]', [1]],
    ['p', []],
  ] as const)('%s => %j', (text, indices) => {
    expect(chosen(text)).toEqual(indices);
  });

  it.each(['', 'a:hover', 'a::before', 'a + b', 'a,', '> a', 'a > > b', '.', 'a[', 'a b,,c', '#'])(
    '%j => refused, with what is accepted',
    (text) => {
      expect(() => parseSelector(text)).toThrow(/no selector that can be followed; accepted: tag, #id/);
    },
  );
});
