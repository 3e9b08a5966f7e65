import { describe, expect, test } from 'vitest';
import { image, type LeafSketch, layout, link, text } from '../../../test/small-layout.ts';
import type { Delta } from '../../model/delta.ts';
import { describeOperation } from './apply-delta.ts';
import { diffLayouts } from './diff-layouts.ts';

const diff = (before: readonly LeafSketch[], after: readonly LeafSketch[]): Delta =>
  diffLayouts(layout(before), layout(after, 'v2'));
const operations = (before: readonly LeafSketch[], after: readonly LeafSketch[]): string[] =>
  diff(before, after).operations.map(describeOperation);

const MENU = { links: ['Home', 'News', 'Sport', 'Culture'].map((name) => link(name)) };

test('IWAW 2009 Example 1: Link2 in, Img1 out, TextA becomes TextB, Link21 from B2 to B3', () => {
  const sentence = 'the quick brown fox jumps over the lazy';
  const found = operations(
    [
      { links: [link('Link1')], images: [image('Img1'), image('Img2')] },
      { links: [link('Link21'), link('Link22'), link('Link23')] },
      { links: [link('Link31'), link('Link32')], texts: [text(`${sentence} dog`)] },
    ],
    [
      { links: [link('Link1'), link('Link2')], images: [image('Img2')] },
      { links: [link('Link22'), link('Link23')] },
      { links: [link('Link31'), link('Link32'), link('Link21')], texts: [text(`${sentence} cat`)] },
    ],
  );
  expect(found).toEqual([
    'insert link to B1.1',
    'delete image from B1.1',
    'update text from B1.3 to B1.3',
    'move link from B1.2 to B1.3',
  ]);
});

describe('links', () => {
  const list = (...links: [string, string][]): LeafSketch[] => [
    { links: [...links.map(([name, address]) => link(name, address)), ...MENU.links] },
  ];

  test('one of three "Read more" goes => one delete, the others are not touched', () => {
    const delta = diff(
      list(['Read more', '/a'], ['Read more', '/b'], ['Read more', '/c']),
      list(['Read more', '/a'], ['Read more', '/c']),
    );
    expect(delta.operations).toMatchObject([{ op: 'delete', old: { address: '/b' } }]);
  });

  test('same address, other name => update; same name, other address => update', () => {
    const delta = diff(list(['Old name', '/a'], ['Same', '/b']), list(['New name', '/a'], ['Same', '/c']));
    expect(delta.operations).toMatchObject([
      { op: 'update', old: { name: 'Old name' }, new: { name: 'New name' } },
      { op: 'update', old: { address: '/b' }, new: { address: '/c' } },
    ]);
  });

  test('two "Read more" with new addresses beside one deleted => paired between the same neighbours', () => {
    const delta = diff(
      list(['Read more', '/1'], ['X', '/x'], ['Read more', '/2'], ['Y', '/y'], ['Read more', '/3']),
      list(['X', '/x'], ['Read more', '/22'], ['Y', '/y'], ['Read more', '/33']),
    );
    expect(delta.operations).toMatchObject([
      { op: 'delete', old: { address: '/1' } },
      { op: 'update', old: { address: '/2' }, new: { address: '/22' } },
      { op: 'update', old: { address: '/3' }, new: { address: '/33' } },
    ]);
  });

  test('another order inside a block => no operation, an entry in the ledger', () => {
    const delta = diff([MENU], [{ links: MENU.links.toReversed() }]);
    expect(delta.operations).toEqual([]);
    expect(delta.ledger.quiet).toHaveLength(3);
  });

  test('a "Read more" that moves away and one that takes its place => move and insert, not an update', () => {
    const more = link('Read more', '/a');
    const found = operations(
      [{ links: [more, ...MENU.links] }, { links: [link('Z'), link('Y'), link('W')] }],
      [
        { links: [link('Read more', '/b'), ...MENU.links] },
        { links: [link('Z'), link('Y'), link('W'), more] },
      ],
    );
    expect(found).toEqual(['insert link to B1.1', 'move link from B1.1 to B1.2']);
  });
});

describe('images', () => {
  const shown = (one: ReturnType<typeof image>): LeafSketch[] => [{ ...MENU, images: [one] }];

  test('another cache-buster => no operation', () => {
    const delta = diff(
      shown(image('a', 'https://a.example/a.png?w=10&v=1')),
      shown(image('a', 'https://a.example/a.png?w=10&v=2')),
    );
    expect(delta.operations).toEqual([]);
    expect(delta.ledger.quiet).toHaveLength(1);
  });

  test('same address, other picture => update; same picture, other address => none', () => {
    const address = 'https://a.example/a.png';
    expect(operations(shown(image('', address, 'd1')), shown(image('', address, 'd2')))).toEqual([
      'update image from B1.1 to B1.1',
    ]);
    expect(operations(shown(image('', address, 'd1')), shown(image('', '/b.png', 'd1')))).toEqual([]);
  });

  test('pictures without a name and with other addresses => delete and insert', () => {
    expect(operations(shown(image('', '/a.png')), shown(image('', '/b.png')))).toEqual([
      'insert image to B1.1',
      'delete image from B1.1',
    ]);
  });
});

describe('texts', () => {
  const said = (...texts: string[]): LeafSketch[] => [{ ...MENU, texts: texts.map(text) }];

  test('half of the words new => update; more than half => delete and insert', () => {
    expect(operations(said('a b c d'), said('a b e f'))).toEqual(['update text from B1.1 to B1.1']);
    expect(operations(said('a b c d'), said('a e f g'))).toEqual([
      'insert text to B1.1',
      'delete text from B1.1',
    ]);
  });

  test('a paragraph rewritten and moved inside its block => one update, with the nearest text', () => {
    const one = 'the council met on monday to talk about schools';
    const two = 'rain is expected in the north until late evening';
    const delta = diff(said(one, two), said(two.replace('late', 'early'), one));
    expect(delta.operations).toMatchObject([{ op: 'update', old: { text: two } }]);
  });

  test('Japanese and Thai, without spaces => words are found, and a small edit is an update', () => {
    expect(operations(said('今日は天気がとても良いです'), said('今日は天気がとても悪いです'))).toEqual([
      'update text from B1.1 to B1.1',
    ]);
    expect(operations(said('วันนี้อากาศดีมากที่กรุงเทพ'), said('วันนี้อากาศร้อนมากที่กรุงเทพ'))).toEqual([
      'update text from B1.1 to B1.1',
    ]);
  });
});

describe('blocks', () => {
  const story = (name: string): LeafSketch => ({
    links: ['1', '2', '3'].map((n) => link(name + n)),
    texts: [text(`all about ${name} and nothing else at all`)],
  });
  const [a, b, c, d] = ['alpha', 'beta', 'gamma', 'delta'].map(story) as [
    LeafSketch,
    LeafSketch,
    LeafSketch,
    LeafSketch,
  ];

  test('one comes in between => one insert, although all others have other refs', () => {
    expect(operations([a, b, c], [a, d, b, c])).toEqual(['insert block to B1.2']);
  });

  test('one goes => one delete', () => {
    expect(operations([a, b, c], [a, c])).toEqual(['delete block from B1.2']);
  });

  test('the first goes last => one move', () => {
    expect(operations([a, b, c, d], [b, c, d, a])).toEqual(['move block from B1.1 to B1.4']);
  });

  test('split and merge', () => {
    const long = { links: 'abcdefgh'.split('').map((name) => link(name)) };
    const halves = [{ links: long.links.slice(0, 4) }, { links: long.links.slice(4) }];
    expect(operations([a, long, b], [a, ...halves, b])).toEqual(['update block from B1.2 to B1.2, B1.3']);
    expect(operations([a, ...halves, b], [a, long, b])).toEqual(['update block from B1.2, B1.3 to B1.2']);
  });

  test('all content new in the same place => the same block', () => {
    const other = {
      links: ['x', 'y', 'z'].map((name) => link(name)),
      texts: [text('wholly different words')],
    };
    const found = operations([a, b, c], [a, other, c]);
    expect(found).not.toContain('insert block to B1.2');
    expect(found).toHaveLength(8);
  });

  test('a wrapper around blocks => no operation', () => {
    const before = layout([a, b, c]);
    const root = before.root;
    const inner = root.blocks.map((block, i) => ({ ...block, ref: `B1.1.${i + 1}` }));
    const wrapped = { ...root, blocks: [{ ...root, ref: 'B1.1', blocks: inner }] };
    expect(diffLayouts(before, { ...before, root: wrapped }).operations).toEqual([]);
  });
});

describe('degenerate', () => {
  test('nothing to nothing => nothing', () => {
    expect(operations([{}], [{}])).toEqual([]);
  });

  test('layouts of different segmenters => refused', () => {
    const one = layout([a()]);
    expect(() => diffLayouts(one, { ...one, segmenter: 'other' })).toThrow(/different segmenters/);
  });

  test('two blocks with one ref => refused', () => {
    const one = layout([a(), a()]);
    const root = { ...one.root, blocks: one.root.blocks.map((block) => ({ ...block, ref: 'B1.1' })) };
    expect(() => diffLayouts(one, { ...one, root })).toThrow(/B1\.1/);
  });

  function a(): LeafSketch {
    return { texts: [text('a')] };
  }
});
