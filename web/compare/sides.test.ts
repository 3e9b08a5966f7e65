import { describe, expect, it } from 'vitest';
import {
  type Block,
  drawnWidth,
  firstWords,
  isAdvertisement,
  marksOf,
  type Operation,
  refsOf,
  wordsOf,
} from './sides.ts';

const box: Block['box'] = [0, 0, 10, 10];
const block = (ref: string, blocks: Block[] = []): Block => ({
  ...{ ref, id: ref, box, doc: 5, importance: 1, links: [], images: [], texts: [], blocks },
});
const operation = (rest: Partial<Operation>): Operation => ({
  ...{ op: 'update', element: 'text', block: 'B1.1', weight: 0.1 },
  ...rest,
});

describe('refsOf', () => {
  it('insert, delete, move, merge, split => the blocks of each side', () => {
    const sides = (one: Partial<Operation>) => [refsOf(operation(one), 'old'), refsOf(operation(one), 'new')];
    expect(sides({ op: 'insert' })).toEqual([[], ['B1.1']]);
    expect(sides({ op: 'delete' })).toEqual([['B1.1'], []]);
    expect(sides({ op: 'move', fromBlock: 'B1.2' })).toEqual([['B1.2'], ['B1.1']]);
    expect(sides({ structure: 'merge', blocks: ['B1.1', 'B1.2'] })).toEqual([['B1.1', 'B1.2'], ['B1.1']]);
    expect(sides({ structure: 'split', blocks: ['B1.1', 'B1.2'] })).toEqual([['B1.1'], ['B1.1', 'B1.2']]);
  });
});

describe('marksOf', () => {
  const root = block('B1', [block('B1.1'), block('B1.2')]);

  it('two operations in a block => one mark in the colour of the heavier, the heaviest mark last', () => {
    const marks = marksOf(
      root,
      [
        operation({ block: 'B1.2', weight: 0.4 }),
        operation({ op: 'insert', weight: 0.05 }),
        operation({ weight: 0.2 }),
      ],
      'new',
    );
    expect(marks.map(({ ref, op, operations }) => [ref, op, operations])).toEqual([
      ['B1.1', 'update', [1, 2]],
      ['B1.2', 'update', [0]],
    ]);
  });

  it('advertisements, other shapes, blocks that the layout lacks => no mark', () => {
    const advert = operation({ op: 'insert', new: { name: 'Buy', advertisement: true } });
    expect(isAdvertisement(advert)).toBe(true);
    expect(isAdvertisement(operation({ old: { name: 'x' }, new: { name: 'y', advertisement: true } }))).toBe(
      false,
    );
    expect(
      marksOf(root, [advert, operation({ structure: 'frame' }), operation({ block: 'B1.9' })], 'new'),
    ).toEqual([]);
  });
});

it('firstWords: texts and links of a block, else names of its pictures, cut short', () => {
  const text = (ref: string, words: string): Block => ({ ...block(ref), texts: [{ id: ref, text: words }] });
  const picture = { ...block('B1.3'), images: [{ id: 'i', name: 'The quay', source: '/q.png' }] };
  expect(firstWords(block('B1', [text('B1.1', ' Rain '), text('B1.2', 'and wind'), picture]))).toBe(
    'Rain · and wind',
  );
  expect(firstWords(block('B1', [picture]))).toBe('The quay');
  expect(firstWords(text('B1', 'word '.repeat(100)))).toMatch(/^word word.{100,150}…$/);
  expect(firstWords(undefined)).toBe('');
});

it('wordsOf: a text, a link, a picture without a name => what a reader knows it by', () => {
  expect(wordsOf({ text: 'Rain' })).toBe('Rain');
  expect(wordsOf({ name: 'Home', address: 'https://a.org/' })).toBe('Home');
  expect(wordsOf({ name: '', source: 'https://a.org/a.png' })).toBe('https://a.org/a.png');
  expect(wordsOf(undefined)).toBe('');
});

it('a line that runs far out of the window => a page and a half is drawn; others as wide as they are', () => {
  expect([drawnWidth(82_000, 1280), drawnWidth(1400, 1280), drawnWidth(300, 1280), drawnWidth(0, 0)]).toEqual(
    [1920, 1400, 1280, 1],
  );
});
