import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bcubed, NO_CLASS } from './bcubed.ts';

/** The definition, item by item; an item of weight w is w items. */
function plain(weights: number[], clusters: number[], classes: number[]) {
  const items = weights.flatMap((weight, i) => Array<number>(weight).fill(i));
  const same = (list: number[], a: number, b: number): boolean => list[a] === list[b];
  const right = (a: number, b: number): boolean =>
    same(clusters, a, b) && same(classes, a, b) && classes[a] !== NO_CLASS;
  const mean = (over: number[], value: (e: number) => number): number =>
    over.length === 0 ? 1 : over.reduce((sum, e) => sum + value(e), 0) / over.length;
  const share = (e: number, among: (b: number) => boolean): number => {
    const group = items.filter(among);
    return group.filter((b) => right(e, b)).length / group.length;
  };
  const precision = mean(items, (e) => share(e, (b) => same(clusters, e, b)));
  const marked = items.filter((e) => classes[e] !== NO_CLASS);
  const recall = mean(marked, (e) => share(e, (b) => same(classes, e, b)));
  return { precision, recall };
}

const items = fc.array(
  fc.record({
    weight: fc.integer({ min: 0, max: 4 }),
    cluster: fc.integer({ min: 0, max: 3 }),
    klass: fc.integer({ min: NO_CLASS, max: 3 }),
  }),
  { maxLength: 12 },
);

describe('bcubed', () => {
  test('agrees with its definition, item by item', () => {
    fc.assert(
      fc.property(items, (list) => {
        const weights = list.map(({ weight }) => weight);
        const clusters = list.map(({ cluster }) => cluster);
        const classes = list.map(({ klass }) => klass);
        const fast = bcubed(weights, clusters, classes);
        const slow = plain(weights, clusters, classes);
        expect(fast.precision).toBeCloseTo(slow.precision, 10);
        expect(fast.recall).toBeCloseTo(slow.recall, 10);
      }),
    );
  });

  test('names of clusters do not count; the same cut => 1', () => {
    const classes = [0, 0, 1, 2, 2];
    const score = bcubed([1, 2, 3, 4, 5], [7, 7, 9, 8, 8], classes);
    expect(score).toEqual({ precision: 1, recall: 1, f: 1 });
  });

  test('one cluster over classes of 3 and 1 => precision 10/16, recall 1', () => {
    const { precision, recall, f } = bcubed([3, 1], [0, 0], [0, 1]);
    expect([precision, recall]).toEqual([10 / 16, 1]);
    expect(f).toBeCloseTo(10 / 13, 12);
  });

  test('one class cut in halves => precision 1, recall 1/2', () => {
    expect(bcubed([2, 2], [0, 1], [5, 5])).toEqual({ precision: 1, recall: 0.5, f: 2 / 3 });
  });

  test('items of no class spoil the precision of their cluster, not its recall', () => {
    expect(bcubed([1, 1], [0, 0], [0, NO_CLASS])).toMatchObject({ precision: 0.25, recall: 1 });
    expect(bcubed([1, 1], [0, 1], [0, NO_CLASS])).toMatchObject({ precision: 0.5, recall: 1 });
  });

  test('nothing => 1', () => {
    expect(bcubed([], [], [])).toEqual({ precision: 1, recall: 1, f: 1 });
  });
});
