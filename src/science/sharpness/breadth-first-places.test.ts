import { describe, expect, test } from 'vitest';
import { breadthFirstPlaces, type FoundUrl, visitsInPlaces } from './breadth-first-places.ts';

describe('breadth-first places', () => {
  test('the tree of Table 2: p0→p1,p2; p1→p3,p4; p2→p5, found in another order => p0 p1 p2 p3 p4 p5', () => {
    const via = (child: string, parent: string): FoundUrl => ({ url: child, via: parent, isSeed: false });
    const found: FoundUrl[] = [
      { url: 'p0', isSeed: true },
      via('p1', 'p0'),
      via('p2', 'p0'),
      via('p5', 'p2'),
      via('p3', 'p1'),
      via('p4', 'p1'),
    ];
    expect(breadthFirstPlaces(['p5', 'p4', 'p3', 'p2', 'p1', 'p0', 'unknown'], found)).toEqual([
      5, 4, 3, 2, 1, 0, 6,
    ]);
  });

  test('pages that name each other, and two seeds => each once, seeds first', () => {
    const found: FoundUrl[] = [
      { url: 'a', isSeed: true },
      { url: 'c', isSeed: false, via: 'a' },
      { url: 'b', isSeed: true, via: 'c' },
    ];
    expect(breadthFirstPlaces(['a', 'b', 'c'], found)).toEqual([0, 1, 2]);
  });

  test('a page that was not revisited takes one of the times, the others two', () => {
    expect(visitsInPlaces([4, 0, 1, 2, 3], [2, 0, 1], [true, false, true])).toEqual([[2, 4], [0], [1, 3]]);
  });
});
