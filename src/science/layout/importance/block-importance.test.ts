import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, element, page, uncut } from '../../../../test/drawn-page.ts';
import type { Block } from '../../../model/layout.ts';
import { layoutOf } from '../layout-of.ts';
import { readLeaves } from '../leaf-content.ts';
import { leavesOf } from '../segment-leaves.ts';
import { blockFeatures, FEATURE_NAMES } from './block-features.ts';
import { historyFactor, levelProbabilities, weighByModel, withHistory } from './block-importance.ts';
import { BLOCK_IMPORTANCE_MODEL } from './coefficients.generated.ts';
import { probabilities, softmax } from './logistic.ts';
import { manualFactors, manualWeightProblems } from './manual-weights.ts';

const prose =
  'The council met on Tuesday, for the third time this month, and voted to keep the old bridge open. Nobody spoke against it.';
const links = ['Home', 'News', 'Sport', 'Contact'].map((name) => element('a', { href: `/${name}` }, name));
const snapshot = page(
  element(
    'body',
    { box: [0, 0, 1280, 2000] },
    element('div', { id: 'menu', role: 'navigation', box: [0, 0, 1280, 60] }, ...links),
    element(
      'div',
      { id: 'content', box: [200, 60, 880, 1740] },
      ...Array.from({ length: 12 }, () => element('p', {}, prose)),
    ),
    element(
      'div',
      { id: 'footer', box: [0, 1900, 1280, 100] },
      '© 2020 The News. All rights reserved.',
      ...links,
    ),
  ),
);
const segment = cut(snapshot, ['menu', 'content', 'footer']);
const leaves = readLeaves(snapshot, leavesOf(segment));
const OPTIONS = { version: 'v', segmenter: 's' };
const shares = (root: Block): number[] =>
  root.blocks.length === 0 ? [root.importance] : root.blocks.flatMap(shares);

test('menu, article and footer of a plain page => the article has most, the footer least', () => {
  const [menu, content, footer] = shares(
    layoutOf(snapshot, segment, { ...OPTIONS, weigh: weighByModel() }).root,
  );
  expect((menu as number) + (content as number) + (footer as number)).toBeCloseTo(1, 12);
  expect(content).toBeGreaterThan(0.8);
  expect(footer).toBeLessThan(0.1);
  const levels = levelProbabilities(snapshot, leaves).map((p) => p.indexOf(Math.max(...p)) + 1);
  expect(levels).toEqual([2, 4, 1]);
});

test('the generated model => fits the features of this code', () => {
  expect(BLOCK_IMPORTANCE_MODEL.features).toEqual(FEATURE_NAMES);
  expect(BLOCK_IMPORTANCE_MODEL.weights.map((row) => row.length)).toEqual(
    [1, 1, 1, 1].map(() => FEATURE_NAMES.length + 1),
  );
  expect(BLOCK_IMPORTANCE_MODEL.scale.every((scale) => scale > 0)).toBe(true);
});

test('any page, also empty or of no size => finite features, probabilities that add up to 1', () => {
  const number = fc.oneof(fc.constantFrom(0, -5, 1e9), fc.double({ noNaN: true, min: -100, max: 5000 }));
  const box = fc.tuple(number, number, number, number);
  const any = fc.record({
    box,
    tag: fc.constantFrom('img', 'a', 'form', 'input', 'h1', 'li'),
    text: fc.string({ minLength: 1 }),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 8 }), box, (items, whole) => {
      const tiny = page(
        element('body', { box: whole }, ...items.map(({ tag, box, text }) => element(tag, { box }, text))),
      );
      for (const row of blockFeatures(tiny, [uncut(tiny), uncut({ ...tiny, nodes: [] })])) {
        expect(row).toHaveLength(FEATURE_NAMES.length);
        expect(row.every(Number.isFinite)).toBe(true);
        const p = probabilities(BLOCK_IMPORTANCE_MODEL, row);
        expect(p.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
      }
    }),
  );
});

test('scores of 1,000 and more => probabilities without overflow', () => {
  expect(softmax([1000, 1000, -1000])).toEqual([0.5, 0.5, 0]);
});

test('change at every visit => a tenth of the weight; at half of them => nearly all; never or unknown => all', () => {
  expect(historyFactor(1)).toBeCloseTo(0.1, 12);
  expect(historyFactor(0.5)).toBeGreaterThan(0.9);
  expect(withHistory([0.5, 0.3, 0.2], [0, undefined, Number.NaN])).toEqual([0.5, 0.3, 0.2]);
});

test('history => more change never gives more weight', () => {
  const share = fc.double({ noNaN: true, min: 0, max: 1 });
  fc.assert(
    fc.property(share, share, (a, b) => {
      expect(historyFactor(Math.max(a, b))).toBeLessThanOrEqual(historyFactor(Math.min(a, b)));
    }),
  );
});

test('manual weights by role and by selector => factors; the last that fits counts', () => {
  const factors = (rules: Parameters<typeof manualFactors>[2]) => manualFactors(snapshot, leaves, rules);
  expect(factors([])).toEqual([1, 1, 1]);
  expect(
    factors([
      { role: 'navigation', weight: 0.5 },
      { selector: '#content', weight: 3 },
    ]),
  ).toEqual([0.5, 3, 1]);
  expect(
    factors([
      { selector: 'body', weight: 2 },
      { selector: '#footer', weight: 0 },
    ]),
  ).toEqual([2, 2, 0]);
  const manual = [{ selector: '#content', weight: 0 }];
  const [, content] = shares(
    layoutOf(snapshot, segment, { ...OPTIONS, weigh: weighByModel({ manual }) }).root,
  );
  expect(content).toBe(0);
});

test('wrong rules => what is wrong with each', () => {
  const wrong = [
    { selector: 'div > p', weight: 1 },
    { role: 'sidebar' as 'main', weight: 1 },
    { selector: 'p', weight: -1 },
  ];
  expect(manualWeightProblems(wrong)).toEqual([
    expect.stringContaining("'div > p' is no selector"),
    expect.stringContaining("no role 'sidebar'"),
    expect.stringContaining('-1 is no weight'),
  ]);
  expect(() => manualFactors(snapshot, leaves, wrong)).toThrow(RangeError);
});
