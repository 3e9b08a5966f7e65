import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { randomHistory } from '../../../test/science/literal-rules.ts';
import { DeltaTree } from './delta-tree.ts';
import type { DirectoryTree } from './directory-tree.ts';
import { mineRules, type NegativeRule } from './near-miner.ts';
import { warm } from './warm.ts';

/** Directories from just below `target` down to `directory`; undefined if it is not below. */
function pathFrom(target: number, directory: number, tree: DirectoryTree): number[] | undefined {
  const path: number[] = [];
  for (let at = directory; at !== target; at = tree.parent(at)) {
    if (at < 0) return undefined;
    path.unshift(at);
  }
  return path;
}

/** Algorithm 4 for one directory alone, along its path: no state is shared with any other. */
function isSkipped(path: readonly number[], target: number, rules: readonly NegativeRule[]): boolean {
  let pattern = [target];
  for (const [i, at] of path.entries()) {
    const same = (head: readonly number[], own: readonly number[]): boolean =>
      own.every((id, k) => head[k] === id);
    const acts = rules.some(
      ({ head, tail }) => tail === at && head.length === pattern.length && same(head, pattern),
    );
    // Nothing is decided any more below a skipped directory.
    if (acts) return i === path.length - 1;
    const grown = [...pattern, at];
    if (rules.some(({ head }) => same(head, grown))) pattern = grown;
  }
  return false;
}

describe('warm', () => {
  it('1,000 random histories, every directory as target => what each path alone says', () => {
    const random = randomNumbers(11);
    let [skips, below] = [0, 0];
    for (let i = 0; i < 1000; i++) {
      const deltas = new DeltaTree();
      for (const version of randomHistory(random)) deltas.add(version);
      const { tree } = deltas;
      const rules = mineRules(deltas, { alpha: 0.3, beta: 0.3, gamma: 0.2, theta: 0.5 });
      for (let target = 0; target < tree.size; target++) {
        const expected = Array.from({ length: tree.size }, (_, d) => d).filter((d) => {
          const path = pathFrom(target, d, tree);
          return path !== undefined && path.length > 0 && isSkipped(path, target, rules);
        });
        expect(warm(target, tree, rules).map(({ directory }) => directory)).toEqual(expected);
        skips += expected.length;
        if (target > 0) below += expected.length;
      }
    }
    // Otherwise the comparison says nothing.
    expect(skips).toBeGreaterThan(150);
    expect(below).toBeGreaterThan(50);
  });
});
