import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import {
  directoriesOf,
  type LiteralVersion,
  literalDegree,
  literalRules,
  randomHistory,
} from '../../../test/science/literal-rules.ts';
import { DeltaTree } from './delta-tree.ts';
import { correlationOfChange, fewestChanges, isNegative } from './evolution-metrics.ts';
import { mineRules, NearMiner, type NegativeRule } from './near-miner.ts';
import { warm } from './warm.ts';

const HISTORIES = 3000;

function deltaTree(versions: readonly LiteralVersion[]): DeltaTree {
  const deltas = new DeltaTree();
  for (const version of versions) deltas.add(version);
  return deltas;
}

const named = (deltas: DeltaTree, rules: readonly NegativeRule[]): string[] =>
  rules
    .map(
      ({ head, tail }) => `${head.map((id) => deltas.tree.path(id)).join(' ')} => ${deltas.tree.path(tail)}`,
    )
    .toSorted();

describe("the paper's examples", () => {
  // s_g: j deleted, l inserted, k updated, over {g, j, k, l}.
  it('Example 1 => 0.75', () => {
    const deltas = deltaTree([
      [
        { url: '/g/j', digest: '1' },
        { url: '/g/k', digest: '1' },
      ],
      [
        { url: '/g/k', digest: '2' },
        { url: '/g/l', digest: '1' },
      ],
    ]);
    expect(deltas.degreeOfChange(deltas.tree.find('/g/') as number, 0)).toBe(0.75);
  });

  it('a directory that is new, or gone => 1', () => {
    const page = { url: '/a/b/c', digest: '1' };
    const deltas = deltaTree([
      [{ url: '/x', digest: '1' }],
      [page, { url: '/x', digest: '1' }],
      [{ url: '/x', digest: '1' }],
    ]);
    const a = deltas.tree.find('/a/') as number;
    expect([deltas.degreeOfChange(a, 0), deltas.degreeOfChange(a, 1)]).toEqual([1, 1]);
  });

  it('Example 3 => a correlation of −1', () => {
    expect(correlationOfChange({ transitions: 3, head: 2, tail: 1, both: 0 })).toBe(-1);
    expect(correlationOfChange({ transitions: 3, head: 2, tail: 0, both: 0 })).toBeUndefined();
  });

  it('Example 4 => a b ⇒ ¬f with confidence 1', () => {
    // Two transitions in which everything but f changes, one in which only f does.
    const version = (others: number, f: number): LiteralVersion => [
      ...Array.from({ length: 6 }, (_, i) => ({ url: `/b/p${i}`, digest: String(others) })),
      { url: '/b/f/q', digest: String(f) },
    ];
    const deltas = deltaTree([version(0, 0), version(1, 0), version(2, 0), version(2, 1)]);
    const rules = mineRules(deltas, { alpha: 0.5, beta: 0.6, gamma: 0.5, theta: 0.9 });
    expect(named(deltas, rules)).toEqual(['/ /b/ => /b/f/', '/b/ => /b/f/']);
    expect(rules[0]).toMatchObject({ confidence: 1, correlation: -1 });
  });
});

describe('against the definitions read literally', () => {
  it(`${HISTORIES} random histories => the same degrees of change and the same rules`, () => {
    const random = randomNumbers(4);
    let found = 0;
    let longer = 0;
    for (let i = 0; i < HISTORIES; i++) {
      const versions = randomHistory(random);
      const deltas = deltaTree(versions);
      for (const directory of directoriesOf(versions)) {
        const id = deltas.tree.find(directory) as number;
        for (let t = 0; t < deltas.transitions; t++) {
          const [before, after] = [versions[t], versions[t + 1]] as [LiteralVersion, LiteralVersion];
          expect(deltas.degreeOfChange(id, t)).toBe(literalDegree(directory, before, after));
        }
      }
      const thresholds = {
        alpha: 0.1 + 0.4 * random(),
        beta: 0.2 + 0.3 * random(),
        gamma: 0.5 * random(),
        theta: 0.5 + 0.4 * random(),
      };
      const rules = mineRules(deltas, thresholds);
      const literal = literalRules(versions, thresholds);
      expect(named(deltas, rules)).toEqual(
        literal.map(({ head, tail }) => `${head.join(' ')} => ${tail}`).toSorted(),
      );
      found += rules.length;
      longer += rules.filter(({ head }) => head.length > 1).length;
    }
    // Otherwise the comparison says nothing.
    expect(found).toBeGreaterThan(HISTORIES / 20);
    expect(longer).toBeGreaterThan(HISTORIES / 100);
  });

  it('γ not given => 0.5, then down to 0.3, for each first directory on its own', () => {
    const random = randomNumbers(9);
    let lowered = 0;
    for (let i = 0; i < HISTORIES / 10; i++) {
      const versions = randomHistory(random);
      const deltas = deltaTree(versions);
      const others = { alpha: 0.3, beta: 0.3, theta: 0.5 };
      const rules = mineRules(deltas, others);
      const mined = new Map<number, ReturnType<typeof literalRules>>();
      const literal = (gamma: number): ReturnType<typeof literalRules> => {
        const rulesOfGamma = mined.get(gamma) ?? literalRules(versions, { ...others, gamma });
        mined.set(gamma, rulesOfGamma);
        return rulesOfGamma;
      };
      const expected = directoriesOf(versions).flatMap((start) => {
        for (const gamma of [0.5, 0.45, 0.4, 0.35, 0.3]) {
          const own = literal(gamma).filter(({ head }) => head[0] === start);
          if (own.length === 0) continue;
          if (gamma < 0.5) lowered++;
          return own;
        }
        return [];
      });
      expect(named(deltas, rules)).toEqual(
        expected.map(({ head, tail }) => `${head.join(' ')} => ${tail}`).toSorted(),
      );
    }
    expect(lowered).toBeGreaterThan(0);
  });
});

describe('a history that goes on', () => {
  it.each([
    ['γ given', { gamma: 0.15 }],
    ['γ not given', {}],
    ['relaxed', { gamma: 0.4, relaxed: true }],
  ])('%s, version after version => as from scratch, with fewer searches', (_, more) => {
    const random = randomNumbers(21);
    let [rules, searched, all, expired] = [0, 0, 0, 0];
    for (let i = 0; i < 300; i++) {
      const rate = i % 2 === 0 ? 1 : 0.3 * random();
      const versions = randomHistory(random, { versions: 40, rate });
      const thresholds = { alpha: 0.1 + 0.3 * random(), beta: 0.02 + 0.3 * random(), theta: 0.4, ...more };
      const deltas = new DeltaTree();
      const miner = new NearMiner(deltas, thresholds);
      let last = 0;
      for (const version of versions) {
        deltas.add(version);
        searched += miner.update();
        all += deltas.tree.size;
        const grown = miner.rules();
        expect(grown).toEqual(mineRules(deltas, thresholds));
        rules += grown.length;
        if (grown.length < last) expired++;
        last = grown.length;
      }
    }
    // Otherwise the comparison says nothing.
    expect(rules).toBeGreaterThan(200);
    expect(expired).toBeGreaterThan(20);
    expect(searched).toBeLessThan(all / 2);
  });

  it('several versions at once, windows, versions without a change => as from scratch', () => {
    const random = randomNumbers(5);
    const thresholds = { alpha: 0.2, beta: 0.1, theta: 0.5 };
    for (let i = 0; i < 50; i++) {
      const versions = randomHistory(random, { versions: 70, rate: 0.4 });
      const deltas = deltaTree(versions.slice(0, 30));
      const miner = new NearMiner(deltas, thresholds, { from: 3 });
      miner.update();
      for (const version of [...versions.slice(30), versions.at(-1) ?? []]) deltas.add(version);
      miner.update();
      expect(miner.rules()).toEqual(mineRules(deltas, thresholds, { from: 3 }));
      expect(miner.update()).toBe(0);
    }
  });
});

describe('thresholds are compared exactly', () => {
  it('3 of 10 nodes changed, α = .3, and every other share of up to 200 nodes => as integers compare', () => {
    const version = (changed: number): LiteralVersion =>
      Array.from({ length: 9 }, (_, i) => ({ url: `/p${i}`, digest: i < changed ? 'new' : 'old' }));
    const deltas = deltaTree([version(0), version(3)]);
    expect(deltas.degreeOfChange(0, 0)).toBe(0.3);
    for (let nodes = 1; nodes <= 200; nodes++)
      for (let changed = 0; changed <= nodes; changed++)
        for (let hundredths = 1; hundredths <= 100; hundredths++)
          if (changed / nodes >= hundredths / 100 !== changed * 100 >= hundredths * nodes)
            throw new Error(`${changed} of ${nodes} at .${hundredths}`);
  });

  it('φ ≤ −γ for every table of up to 40 transitions and γ in twentieths => as integers compare', () => {
    for (let m = 2; m <= 40; m++)
      for (let head = 1; head < m; head++)
        for (let tail = 1; tail < m; tail++)
          for (let both = Math.max(0, head + tail - m); both <= Math.min(head, tail); both++)
            for (let twentieths = 0; twentieths <= 20; twentieths++) {
              const amount = head * tail - m * both;
              const margins = head * (m - head) * tail * (m - tail);
              const expected = amount >= 0 && 400 * amount * amount >= twentieths * twentieths * margins;
              if (isNegative({ transitions: m, head, tail, both }, twentieths / 20) !== expected)
                throw new Error(`${m} ${head} ${tail} ${both} at ${twentieths}/20`);
            }
  });

  it('φ = −0.6 exactly => a rule at γ = .6, none at .6000001', () => {
    const counts = { transitions: 20, head: 10, tail: 10, both: 2 };
    expect(correlationOfChange(counts)).toBe(-0.6);
    expect([0.6, 0.6000001, 0.5999999].map((gamma) => isNegative(counts, gamma))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('β M => the fewest transitions', () => {
    const fewest = (beta: number, m: number): number => fewestChanges(beta, m);
    expect([
      fewest(0.6, 20),
      fewest(0.07, 100),
      fewest(1 / 3, 3),
      fewest(0, 5),
      fewest(1, 5),
      fewest(0.55, 20),
    ]).toEqual([12, 7, 1, 0, 5, 11]);
  });
});

describe('warm', () => {
  it('random histories => every rule of the target acts, or lies below one that does; no directory is in a head and a tail', () => {
    const random = randomNumbers(33);
    let acted = 0;
    for (let i = 0; i < HISTORIES; i++) {
      const deltas = deltaTree(randomHistory(random));
      const { tree } = deltas;
      const rules = mineRules(deltas, { alpha: 0.2, beta: 0.3, gamma: 0.1, theta: 0.5 });
      const skips = warm(0, tree, rules);
      const skipped = new Set(skips.map(({ directory }) => directory));
      const isLeftOut = (id: number): boolean => id >= 0 && (skipped.has(id) || isLeftOut(tree.parent(id)));
      for (const { head, tail } of rules) {
        if (head[0] !== 0) continue;
        expect(isLeftOut(tail)).toBe(true);
        for (const id of head) expect(skipped.has(id)).toBe(false);
      }
      // Brute force over paths: the pattern grown along each of them, from its start.
      const heads = rules.filter(({ head }) => head[0] === 0);
      for (let id = 1; id < tree.size; id++) expect(isLeftOut(id)).toBe(isSkippedOnPath(id));
      function isSkippedOnPath(id: number): boolean {
        const path: number[] = [];
        for (let at = id; at > 0; at = tree.parent(at)) path.unshift(at);
        const pattern = [0];
        for (const next of path) {
          const grown = [...pattern, next].join();
          if (heads.some(({ head, tail }) => tail === next && head.join() === pattern.join())) return true;
          if (heads.some(({ head }) => head.slice(0, pattern.length + 1).join() === grown))
            pattern.push(next);
        }
        return false;
      }
      acted += skips.length;
    }
    expect(acted).toBeGreaterThan(HISTORIES / 20);
  });
});

describe('odd input', () => {
  it('no version, one version, empty versions => no transition or no change, no rule', () => {
    const thresholds = { alpha: 0.1, beta: 0, theta: 0 };
    for (const versions of [[], [[]], [[{ url: '/a/', digest: '1' }]], [[], [], []]])
      expect(mineRules(deltaTree(versions), thresholds)).toEqual([]);
  });

  it('a page named twice => the first counts, and it is told', () => {
    const deltas = new DeltaTree();
    const [a, b] = ['1', '2'].map((digest) => ({ url: '/a', digest }));
    expect(deltas.add([a, b] as LiteralVersion)).toMatchObject({ pages: 1, repeated: 1, inserted: 1 });
    expect(deltas.add([a] as LiteralVersion)).toMatchObject({ pages: 1, updated: 0 });
  });

  it('depth 500, 100,000 siblings => mined', () => {
    const deep = { url: `/${'d/'.repeat(500)}p`, digest: '1' };
    const wide = (digest: string) => Array.from({ length: 100_000 }, (_, i) => ({ url: `/s${i}/p`, digest }));
    const deltas = deltaTree([
      [deep],
      [{ ...deep, digest: '2' }],
      [deep, ...wide('1')],
      [deep, ...wide('2')],
    ]);
    expect(deltas.tree.size).toBe(100_501);
    mineRules(deltas, { alpha: 0.5, beta: 0.3, theta: 0.5 });
  });
});
