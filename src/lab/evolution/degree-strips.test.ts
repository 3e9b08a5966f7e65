import { expect, it } from 'vitest';
import { DeltaTree } from '../../science/evolution/delta-tree.ts';
import { mineRules } from '../../science/evolution/near-miner.ts';
import { degreeStrips } from './degree-strips.ts';

/** Pages directly in /b/ change in every version but the last; the one in /b/f/ only in the last. */
function deltaTree(versions: number): DeltaTree {
  const deltas = new DeltaTree();
  for (let k = 0; k < versions; k++)
    deltas.add([
      ...Array.from({ length: 6 }, (_, i) => ({
        url: `/b/p${i}`,
        digest: String(Math.min(k, versions - 2)),
      })),
      { url: '/b/f/q', digest: k === versions - 1 ? 'new' : 'old' },
      { url: '/still/page', digest: 'same' },
    ]);
  return deltas;
}

it('a tree with rules => a strip for each directory that changed, in the order of the tree, heads and tails marked', () => {
  const deltas = deltaTree(4);
  const rules = mineRules(deltas, { alpha: 0.5, beta: 0.6, gamma: 0.5, theta: 0.5 });
  const [plot] = degreeStrips(deltas, rules);
  expect(plot?.series.map(({ name }) => name)).toEqual(['/ ⇒', '/b/ ⇒', '/b/f/ ¬']);
  expect(plot?.series[2]?.points).toEqual([
    { x: 2, y: 0 },
    { x: 3, y: 0 },
    { x: 4, y: 0.5 },
  ]);
});

it('a window => its transitions; more than 120 => the last; one version => nothing to draw', () => {
  const versionsOf = (plots: ReturnType<typeof degreeStrips>) =>
    plots[0]?.series[0]?.points.map(({ x }) => x);
  expect(versionsOf(degreeStrips(deltaTree(6), [], { from: 1, to: 3 }))).toEqual([3, 4]);
  const all = versionsOf(degreeStrips(deltaTree(200), []));
  expect([all?.length, all?.at(-1)]).toEqual([120, 200]);
  expect(degreeStrips(deltaTree(1), [])).toEqual([]);
});
