import { expect, it } from 'vitest';
import { DeltaTree } from '../../science/evolution/delta-tree.ts';
import { mineRules } from '../../science/evolution/near-miner.ts';
import { SyntheticSite } from './synthetic-tree.ts';

const TREE = { nodes: 20_000, fanOut: 10, depth: 5, change: 0.05, seed: 3 };

it('N, F, D, C => a tree of that size and depth that changes by about C, and has rules', () => {
  const site = new SyntheticSite(TREE);
  const deltas = new DeltaTree();
  const shares: number[] = [];
  for (let k = 0; k < 20; k++) {
    const { pages, inserted, deleted, updated } = deltas.add(site.pages());
    if (k === 0) expect(pages + deltas.tree.size).toBe(TREE.nodes);
    else shares.push((inserted + deleted + updated) / pages);
    site.advance();
  }
  const depths = Array.from(
    { length: deltas.tree.size },
    (_, id) => deltas.tree.path(id).split('/').length - 2,
  );
  expect(Math.max(...depths)).toBeLessThanOrEqual(TREE.depth);
  const share = shares.reduce((sum, one) => sum + one, 0) / shares.length;
  expect(share).toBeGreaterThan(TREE.change / 2);
  expect(share).toBeLessThan(TREE.change * 2);
  expect(mineRules(deltas, { alpha: 0.3, beta: 0.2, theta: 0.5 }).length).toBeGreaterThan(0);
});

it('the same seed => the same site; another => another', () => {
  const after = (seed: number): unknown => {
    const site = new SyntheticSite({ ...TREE, seed });
    for (let k = 0; k < 3; k++) site.advance();
    return site.pages();
  };
  expect(after(1)).toEqual(after(1));
  expect(after(1)).not.toEqual(after(2));
});
