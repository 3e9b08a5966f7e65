import { expect, test } from 'vitest';
import type { PageSnapshot, SnapshotStyle } from '../../model/page-snapshot.ts';
import { lookShift } from './look-shift.ts';
import { shownBy } from './lost-pictures.ts';

const STYLE: SnapshotStyle = {
  ...{ display: 'block', position: 'static', float: 'none', background: '#ffffff', paints: false },
  ...{ backgroundImage: false, color: '#000000', fontSize: 16, fontWeight: 400, fontFamily: 'serif' },
  borders: [false, false, false, false],
};

interface Line {
  readonly text: string;
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly style?: Partial<SnapshotStyle>;
}

/** A body with a paragraph for each line. */
function pageOf(lines: readonly Line[]): PageSnapshot {
  const body = {
    kind: 'element',
    parent: -1,
    tag: 'body',
    style: 0,
    attributes: {},
    box: [0, 0, 1000, 9],
  } as const;
  return {
    ...{ format: 1, url: 'https://a.org/', title: '', language: '', facts: [] },
    ...{ viewport: { width: 1000, height: 800 }, page: { width: 1000, height: 2000 } },
    styles: [STYLE, ...lines.map(({ style }) => ({ ...STYLE, ...style }))],
    nodes: [
      body,
      ...lines.flatMap(({ text, x = 0, y = 0, width = 500 }, i) => [
        { ...body, parent: 0, tag: 'p', style: i + 1 },
        { kind: 'text', parent: 1 + 2 * i, text, box: [x, y, width, 20] } as const,
      ]),
    ],
  };
}

test.each<[string, Line, number]>([
  ['the same', { text: 'ten of ten' }, 0],
  ['further down', { text: 'ten of ten', y: 900 }, 0],
  ['another column', { text: 'ten of ten', x: 300 }, 0.5],
  ['twice the width', { text: 'ten of ten', width: 1000 }, 0.5],
  ['larger', { text: 'ten of ten', style: { fontSize: 24 } }, 0.5],
  ['red', { text: 'ten of ten', style: { color: '#ff0000' } }, 0.5],
  ['other words, which are told elsewhere', { text: 'not at all there' }, 0],
])('half of the text %s => %#', (_, line, share) => {
  const [one, other] = [{ text: 'ten of ten' }, { text: 'and 10 too' }];
  expect(lookShift(pageOf([one, other]), pageOf([line, other]))).toBe(share);
});

test('nothing in common => 0; equal texts => paired in their order', () => {
  expect(lookShift(pageOf([]), pageOf([{ text: 'a' }]))).toBe(0);
  const twice = [{ text: 'more' }, { text: 'more', x: 400 }];
  expect(lookShift(pageOf(twice), pageOf(twice))).toBe(0);
});

test('pictures => their area in windows, half on the second screen; of others nothing', () => {
  const page = pageOf([]);
  const picture = (src: string, y: number) =>
    ({
      kind: 'element',
      parent: 0,
      tag: 'img',
      style: 0,
      attributes: { src },
      box: [0, y, 500, 400],
    }) as const;
  const live = {
    ...page,
    nodes: [...page.nodes, picture('https://a.org/1', 0), picture('https://a.org/2', 900)],
  };
  const shares = shownBy(new Set(['https://a.org/1', 'https://a.org/2', 'https://a.org/3']), live);
  expect([...shares]).toEqual([
    ['https://a.org/1', 0.25],
    ['https://a.org/2', 0.125],
  ]);
});
