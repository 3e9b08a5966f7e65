import { describe, expect, it } from 'vitest';
import { placeMarks, thinned, timeTicks } from './timeline.ts';

const DAY = 86_400_000;

describe('timeline', () => {
  it('three visits over two days => at 0, 50 and 100 %, unchanged ones without a mark, weight as area', () => {
    const placed = placeMarks(
      [
        { at: 0, kind: 'first', weight: 0 },
        { at: DAY, kind: 'same', weight: 0 },
        { at: 2 * DAY, kind: 'changed', weight: 1 },
      ],
      0,
      2 * DAY,
    );
    expect(placed.map(({ x, r }) => [x, r])).toEqual([
      [0, 3.5],
      [50, 0],
      [100, 11],
    ]);
  });

  it('one visit => in the middle, no labels for a span of nothing', () => {
    expect(placeMarks([{ at: 5, kind: 'first', weight: 0 }], 5, 5)[0]?.x).toBe(50);
    expect(timeTicks(5, 5, 6)).toEqual([]);
  });

  it('ten days, six labels at most => every second midnight of the reader', () => {
    const ticks = timeTicks(0, 10 * DAY, 6, 60);
    expect(ticks.map(({ at }) => at)).toEqual([2, 4, 6, 8, 10].map((day) => day * DAY - 3_600_000));
  });

  it('10,000 marks in 100 columns => the heaviest of each, and no more', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => ({
      at: i,
      kind: 'changed' as const,
      weight: i === 4321 ? 1 : 0.1,
    }));
    const left = thinned(placeMarks(many, 0, 9999), 100);
    expect(left.length).toBeLessThanOrEqual(101);
    expect(left.some(({ index }) => index === 4321)).toBe(true);
  });
});
