import { expect, test } from 'vitest';
import { annotatedSamples, type Sample } from '../../scripts/block-importance/annotated-blocks.ts';
import { crossValidate, majority, scores } from '../../scripts/block-importance/evaluate.ts';
import { element, page } from '../drawn-page.ts';

test('labels 0 0 1 3, said 0 1 1 3 => F1 2/3, 2/3, 0, 1', () => {
  const { macroF1, accuracy, levels } = scores([0, 0, 1, 3], [0, 1, 1, 3]);
  expect(levels.map((level) => level.f1)).toEqual([expect.closeTo(2 / 3), expect.closeTo(2 / 3), 0, 1]);
  expect(macroF1).toBeCloseTo((2 / 3 + 2 / 3 + 0 + 1) / 4);
  expect(accuracy).toBe(0.75);
});

test('cross-validation => no sample is judged by a model that saw its site', () => {
  const samples: Sample[] = ['a', 'a', 'b', 'c'].map((site) => ({
    site,
    type: 'Ad',
    label: 0,
    features: [],
  }));
  const seen: string[][] = [];
  crossValidate(samples, 3, (rest) => {
    seen.push([...new Set(rest.map((s) => s.site))]);
    return { features: [], mean: [], scale: [], weights: [[0]] };
  });
  expect(seen).toEqual([
    ['b', 'c'],
    ['a', 'c'],
    ['a', 'b'],
  ]);
  expect(majority(samples)).toEqual([0, 0, 0, 0]);
});

test('marks inside a mark => the inner ones only', () => {
  const mark = (type: string) => ({ 'data-block': '2', 'data-block-type': type });
  const snapshot = page(
    element(
      'body',
      mark('Content'),
      element('div', {}, element('div', mark('Article'), 'text')),
      element('div', mark('Ad'), 'buy'),
      element('div', mark('Unheard'), 'x'),
    ),
  );
  expect(annotatedSamples('s', snapshot).map(({ type, label }) => [type, label])).toEqual([
    ['Article', 3],
    ['Ad', 0],
  ]);
});
