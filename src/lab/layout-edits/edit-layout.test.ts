import { describe, expect, test } from 'vitest';
import { type EditScore, scoreEdits } from '../../../test/science/score-edits.ts';
import { applyDelta } from '../../science/delta/apply-delta.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import { stream } from '../newspaper/random.ts';
import { editLayout, PAPER_RATES } from './edit-layout.ts';
import { makeLayout } from './make-layout.ts';

describe('IWAW 2009 §7.2: 10 % of each operation on links, images and texts', () => {
  const scores = scoreEdits({ seed: 2009, pages: 30 });

  test.each(['insert', 'delete', 'update', 'move'])('%s => precision and recall of at least 0.98', (op) => {
    const { real, precision, recall } = scores[op] as EditScore;
    expect(real).toBeGreaterThan(1000);
    expect(precision).toBeGreaterThanOrEqual(0.98);
    expect(recall).toBeGreaterThanOrEqual(0.98);
  });
});

describe('blocks inserted, deleted, moved, split and merged, 3 % each', () => {
  const scores = scoreEdits({
    seed: 2010,
    pages: 30,
    rates: { insert: 0.03, delete: 0.03, update: 0.03, move: 0.03, structure: 0.03 },
  });

  test.each(['insert block', 'delete block', 'move block', 'split block', 'merge block'])(
    '%s => precision and recall of at least 0.95',
    (op) => {
      const { real, precision, recall } = scores[op] as EditScore;
      expect(real).toBeGreaterThanOrEqual(30);
      expect(precision).toBeGreaterThanOrEqual(0.95);
      expect(recall).toBeGreaterThanOrEqual(0.95);
    },
  );
});

test('no edits => no operation, and a copy that differs in nothing but version and place', () => {
  const random = stream(1, 'no edits');
  const old = makeLayout(random);
  const none = { insert: 0, delete: 0, update: 0, move: 0, structure: 0 };
  const { layout, truth } = editLayout(old, none, random);
  expect(truth).toEqual([]);
  expect(diffLayouts(old, layout).operations).toEqual([]);
});

test('edited pages of a thousand elements => new layout exactly', () => {
  for (let page = 0; page < 10; page++) {
    const random = stream(3, 'exact', page);
    const old = makeLayout(random);
    const { layout } = editLayout(old, { ...PAPER_RATES, structure: 0.03 }, random);
    expect(applyDelta(diffLayouts(old, layout), old)).toStrictEqual(layout);
  }
});

test('same seed => same page and same edits', () => {
  const draw = () => editLayout(makeLayout(stream(4, 'a')), PAPER_RATES, stream(4, 'b'));
  expect(draw()).toStrictEqual(draw());
});
