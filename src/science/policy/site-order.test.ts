import fc from 'fast-check';
import { expect, test } from 'vitest';
import { breadthFirst, type Candidate, depthFirst, siteOrder } from './site-order.ts';

/** The tree of the SHARC paper: p0 → p1, p2; p1 → p3, p4; p2 → p5. */
const TREE: Readonly<Record<string, readonly string[]>> = { p0: ['p1', 'p2'], p1: ['p3', 'p4'], p2: ['p5'] };

function crawl(order: typeof breadthFirst): string[] {
  const frontier = [{ url: 'p0', depth: 0, rank: order.rank({ url: 'p0', depth: 0, batch: 0, index: 0 }) }];
  const visited: string[] = [];
  for (let batch = 1; frontier.length > 0; batch++) {
    frontier.sort((a, b) => a.rank - b.rank);
    const page = frontier.shift() as (typeof frontier)[number];
    visited.push(page.url);
    (TREE[page.url] ?? []).forEach((url, index) => {
      const candidate = { url, depth: page.depth + 1, batch, index };
      frontier.push({ url, depth: candidate.depth, rank: order.rank(candidate) });
    });
  }
  return visited;
}

test('breadth-first on the tree of SHARC Table 2 => p0 p1 p2 p3 p4 p5', () => {
  expect(crawl(breadthFirst)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5']);
});

test('depth-first on the tree of SHARC Table 1 => p0 p1 p3 p4 p2 p5', () => {
  expect(crawl(depthFirst)).toEqual(['p0', 'p1', 'p3', 'p4', 'p2', 'p5']);
});

const candidates = fc.record<Candidate>({
  url: fc.constant('u'),
  depth: fc.integer({ min: 0, max: 5000 }),
  batch: fc.integer({ min: 0, max: 1_000_000 }),
  index: fc.integer({ min: 0, max: 100_000 }),
});

test('breadth-first ranks by depth, then page, then place, exactly', () => {
  fc.assert(
    fc.property(candidates, candidates, (a, b) => {
      const expected = a.depth - b.depth || a.batch - b.batch || a.index - b.index;
      expect(Math.sign(breadthFirst.rank(a) - breadthFirst.rank(b))).toBe(Math.sign(expected));
    }),
  );
});

test('an unknown order is refused with the names of those there are', () => {
  expect(() => siteOrder('widest-first')).toThrow(/'widest-first'.*breadth-first, depth-first/);
});
