import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyPair } from '../../../test/any-layout.ts';
import { advertisement, image, type LeafSketch, layout, link, text } from '../../../test/small-layout.ts';
import type { Delta } from '../../model/delta.ts';
import { changeImportance } from './change-importance.ts';
import { CHANGE_WEIGHTS, type ChangeWeights } from './change-weights.ts';
import { diffLayouts } from './diff-layouts.ts';

const E = (
  before: readonly LeafSketch[],
  after: readonly LeafSketch[],
  weights?: Partial<ChangeWeights>,
): number =>
  changeImportance(diffLayouts(layout(before), layout(after, 'v2')), { ...CHANGE_WEIGHTS, ...weights })
    .importance;

const some = <T>(count: number, make: (name: string) => T, prefix = 'x'): T[] =>
  Array.from({ length: count }, (_, i) => make(`${prefix}${i}`));

const REST = { texts: [text('a paragraph that nobody touched')] };

describe('worked examples', () => {
  test('IWAW 2009 §6: text updated in B1 (0.1), 4 links beside 2 in B2.2 (0.4), 2 of 4 images deleted in B3 (0.2) => 0.4467', () => {
    const before = [
      { importance: 0.1, texts: [text('one two three four')] },
      { importance: 0.4, links: some(2, (name) => link(name)) },
      { importance: 0.2, images: some(4, (name) => image(name)) },
      REST,
    ];
    const after = [
      { importance: 0.1, texts: [text('one two three five')] },
      { importance: 0.4, links: some(6, (name) => link(name)) },
      { importance: 0.2, images: some(2, (name) => image(name)) },
      REST,
    ];
    const expected = 0.1 * 1 + 0.4 * (4 / 6) + 0.2 * 0.8 * (2 / 4);
    expect(expected).toBeCloseTo(0.4467, 4);
    for (const normalise of ['mean', 'sum'] as const) {
      expect(E(before, after, { updatedText: 'full', normalise })).toBeCloseTo(expected, 12);
    }
  });

  test('IJDL 2012 Example 3: 2 of 10 links deleted, 1 of 1 image updated in B3.3 (0.3) => 0.348 as sum, 0.174 as mean', () => {
    const before = [{ importance: 0.3, links: some(10, (name) => link(name)), images: [image('a')] }, REST];
    const after = [
      {
        importance: 0.3,
        links: some(8, (name) => link(name)),
        images: [image('a', 'https://a.example/b.png')],
      },
      REST,
    ];
    expect(E(before, after, { normalise: 'sum' })).toBeCloseTo(0.348, 12);
    expect(E(before, after)).toBeCloseTo(0.174, 12);
  });
});

test('a page three directories down, each step counting .5 => an eighth of the same change at the top', () => {
  const delta = diffLayouts(
    layout([{ texts: [text('a b c d')] }]),
    layout([{ texts: [text('a b c e')] }], 'v2'),
  );
  const at = (url: string): number =>
    changeImportance({ ...delta, to: { ...delta.to, url } }, { ...CHANGE_WEIGHTS, perDepth: 0.5 }).importance;
  expect(at('https://a.example/x/y/z/page.html?q=/a/b')).toBeCloseTo(at('https://a.example/') / 8, 12);
});

describe('more operations never lower it', () => {
  const all = [{ links: some(10, (name) => link(name)), texts: [text('a b c d')] }];
  const rewritten = [{ links: some(10, (name) => link(name)), texts: [text('e f g h')] }];
  const andLink = [{ links: some(11, (name) => link(name)), texts: [text('e f g h')] }];

  test('all text replaced, then a link inserted as well => more', () => {
    expect(E(all, andLink)).toBeGreaterThan(E(all, rewritten));
  });

  test('an advertisement beside new content => no less than the content alone', () => {
    const before = [{ links: some(2, (name) => link(name)) }];
    const content = { links: some(2, (name) => link(name), 'new') };
    const ad = advertisement(image('ad'));
    const one = E(before, [content]);
    expect(E(before, [{ ...content, images: [ad] }])).toBeGreaterThanOrEqual(one);
    expect(E(before, [{ links: [...content.links, advertisement(link('ad'))] }])).toBeGreaterThanOrEqual(one);
  });

  test('any delta without one of its element operations => no more', () => {
    fc.assert(
      fc.property(anyPair, fc.nat(), ([old, now], pick) => {
        const delta = diffLayouts(old, now);
        const plain = delta.operations.flatMap((one, i) => (one.element === 'block' ? [] : [i]));
        const left = plain[pick % Math.max(1, plain.length)];
        if (left === undefined || turnsIntoAdvertisement(delta.operations[left])) return;
        expect(changeImportance(withoutOperation(delta, left)).importance).toBeLessThanOrEqual(
          changeImportance(delta).importance + 1e-12,
        );
      }),
      { numRuns: 1000 },
    );
  });

  /** True if one side alone is an advertisement: without the operation, the counts of its block cannot be known. */
  function turnsIntoAdvertisement(operation: Delta['operations'][number] | undefined): boolean {
    if (!operation || !('old' in operation) || !('new' in operation)) return false;
    return 'advertisement' in operation.old !== 'advertisement' in operation.new;
  }

  /** As if the operation had not happened: an element that did not arrive is not in old ∪ new either. */
  function withoutOperation(delta: Delta, index: number): Delta {
    const gone = delta.operations[index];
    if (!gone || gone.element === 'block') return delta;
    const arrivedAt = gone.op === 'insert' || gone.op === 'move' ? gone.to.block : undefined;
    const isAd = 'new' in gone && 'advertisement' in gone.new ? 1 : 0;
    return {
      ...delta,
      operations: delta.operations.filter((_, i) => i !== index),
      touched: delta.touched.map((block) =>
        arrivedAt !== undefined && block.to.includes(arrivedAt)
          ? {
              ...block,
              elements: { ...block.elements, [gone.element]: block.elements[gone.element] - 1 },
              advertisements: {
                ...block.advertisements,
                [gone.element]: block.advertisements[gone.element] - isAd,
              },
            }
          : block,
      ),
    };
  }
});

describe('updates', () => {
  const TWO = [{ links: [link('Vote on the budget 12 comments', '/vote'), link('Ferry', '/ferry')] }, REST];

  test('a link that leads where it led, one of six words another => by its words, a sixth of the same in full', () => {
    const counted = [
      { links: [link('Vote on the budget 13 comments', '/vote'), link('Ferry', '/ferry')] },
      REST,
    ];
    expect(E(TWO, counted)).toBeCloseTo(E(TWO, counted, { renamedLink: 'full' }) / 6, 12);
  });

  test('a link that leads elsewhere under its name => in full', () => {
    const turned = [
      { links: [link('Vote on the budget 12 comments', '/late'), link('Ferry', '/ferry')] },
      REST,
    ];
    expect(E(TWO, turned)).toBeCloseTo(E(TWO, turned, { renamedLink: 'full' }), 12);
    expect(E(TWO, turned)).toBeGreaterThan(0);
  });
});

describe('bounds', () => {
  test('a page against itself => 0', () => {
    fc.assert(
      fc.property(anyPair, ([old]) => {
        expect(changeImportance(diffLayouts(old, old)).importance).toBe(0);
      }),
    );
  });

  test('any two layouts => in [0, 1], and the shares of the operations add up to it', () => {
    fc.assert(
      fc.property(anyPair, ([old, now]) => {
        const delta = diffLayouts(old, now);
        const { importance, shares } = changeImportance(delta);
        expect(importance).toBeGreaterThanOrEqual(0);
        expect(importance).toBeLessThanOrEqual(1);
        expect(shares).toHaveLength(delta.operations.length);
        expect(shares.every((share) => share >= 0)).toBe(true);
        expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(importance, 10);
      }),
      { numRuns: 300 },
    );
  });

  test('a page all of whose content is new => 0.9: 0.8 for what went, 1 for what came', () => {
    const before = [{ links: some(3, (name) => link(name)) }];
    const after = [{ links: some(3, (name) => link(name), 'new') }];
    expect(E(before, after)).toBeCloseTo(0.9, 12);
  });
});

describe('advertisements', () => {
  test('the same change in advertisements => a tenth of that in content', () => {
    const change = (mark: <T extends ReturnType<typeof link>>(element: T) => T): number =>
      E(
        [{ links: some(4, (name) => mark(link(name))), texts: [text('x')] }],
        [{ links: some(6, (name) => mark(link(name))).slice(1), texts: [text('x')] }],
      );
    const content = change((element) => element);
    expect(content).toBeGreaterThan(0);
    expect(change(advertisement)).toBeCloseTo(0.1 * content, 12);
  });

  test('a block of advertisements inserted => under a tenth of one of content', () => {
    const before = [REST];
    const came = (make: (name: string) => ReturnType<typeof link>): number =>
      E(before, [
        { ...REST, importance: 0.5 },
        { importance: 0.5, links: some(3, make, 'new') },
      ]);
    const content = came((name) => link(name));
    expect(content).toBeGreaterThan(0.3);
    expect(came((name) => advertisement(link(name)))).toBeLessThanOrEqual(0.1 * content + 1e-12);
  });
});

describe('blocks', () => {
  test('a main block (0.8) inserted beside one => 0.8 of 1.4, the sum of both layouts', () => {
    const before = [{ importance: 1, texts: [text('menu')] }];
    const after = [
      { importance: 0.2, texts: [text('menu')] },
      { importance: 0.8, texts: [text('the article')], links: [link('more')] },
    ];
    expect(E(before, after)).toBeCloseTo(0.8 / 1.4, 12);
  });

  test('a block deleted => its importance times 0.8; one that holds nothing => 0', () => {
    const gone = { importance: 0.5, images: some(2, (name) => image(name)) };
    const stays = { importance: 0.5, texts: [text('stays')] };
    const alone = { ...stays, importance: 1 };
    expect(E([gone, stays], [alone])).toBeCloseTo((0.5 * 0.8) / 1.25, 12);
    expect(E([{ importance: 0.5 }, stays], [alone])).toBe(0);
  });

  test('a block split in two => a quarter of its importance; a quiet reorder => 0', () => {
    const whole = { importance: 0.6, links: some(8, (name) => link(name)) };
    const halves = [
      { importance: 0.3, links: whole.links.slice(0, 4) },
      { importance: 0.3, links: whole.links.slice(4) },
    ];
    const rest = { importance: 0.4, texts: [text('stays')] };
    expect(E([whole, rest], [...halves, rest])).toBeCloseTo(0.6 * 0.25, 12);
    expect(E([whole, rest], [{ ...whole, links: whole.links.toReversed() }, rest])).toBe(0);
  });

  test('a link moved from a block of 2 (0.5) to one of 2 (0.5) => 0.25 (1/2 · 0.5 + 1/3 · 0.5)', () => {
    const [a, b, c, d] = some(4, (name) => link(name)) as [never, never, never, never];
    const before = [
      { importance: 0.5, links: [a, b] },
      { importance: 0.5, links: [c, d] },
    ];
    const after = [
      { importance: 0.5, links: [a] },
      { importance: 0.5, links: [c, d, b] },
    ];
    expect(E(before, after)).toBeCloseTo(0.25 * (0.25 + 1 / 6), 12);
  });
});
