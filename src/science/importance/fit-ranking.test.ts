import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { kendall } from '../rates/kendall.ts';
import { combination, combined, onLogScale } from './combine-scores.ts';
import { fitRanking, heldOutScores, type RankedPage } from './fit-ranking.ts';
import { rankAgreement } from './rank-agreement.ts';

/** Pages with three scores; a person ranks by 2·first + second with this much noise, the third says nothing. */
function rankedPages(seed: number, pages: number, noise: number): RankedPage[] {
  const random = randomNumbers(seed);
  const bell = () => random() + random() + random() - 1.5;
  const drawn = Array.from({ length: pages }, () => {
    const scores = [bell(), bell(), bell()] as const;
    return { scores, worth: 2 * scores[0] + scores[1] + noise * bell() };
  });
  const order = drawn.map(({ worth }) => worth).sort((a, b) => b - a);
  return drawn.map(({ scores, worth }) => ({ scores, rank: order.indexOf(worth) + 1 }));
}
const ranksOf = (pages: readonly RankedPage[]): number[] => pages.map(({ rank }) => -rank);

describe('combined', () => {
  it('two scores on scales of their own => standard deviations, weighed', () => {
    const by = combination(
      [
        [0, 10],
        [1, 3],
      ],
      [1, 2],
    );
    expect(by).toEqual([
      { weight: 1, mean: 5, scale: 5 },
      { weight: 2, mean: 2, scale: 1 },
    ]);
    expect(combined([10, 1], by)).toBe(1 - 2);
  });

  it('a score that never varies => it decides nothing', () => {
    expect(combined([0.1], combination([[0.1, 0.1, 0.1]], [7]))).toBeCloseTo(0, 9);
  });

  it('logarithms; 0 is half the least above it', () => {
    expect([...onLogScale([0, Math.E, 2])]).toEqual([0, 1, Math.log(2)]);
    expect([...onLogScale([0, 0])]).toEqual([Math.log(0.5), Math.log(0.5)]);
  });
});

describe('fitRanking', () => {
  it('a person who ranks by 2·a + b => weights about 2 : 1 : 0', () => {
    const [a = 0, b = 0, c = 0] = fitRanking(rankedPages(1, 80, 0.3), { random: randomNumbers(2) }).map(
      ({ weight }) => weight,
    );
    expect(a / b).toBeGreaterThan(1.6);
    expect(a / b).toBeLessThan(2.5);
    expect(Math.abs(c / a)).toBeLessThan(0.1);
  });

  it('held out => above each score alone, below what was seen', () => {
    const pages = rankedPages(3, 60, 0.5);
    const options = { random: randomNumbers(4), repetitions: 2 };
    const alone = [0, 1, 2].map((j) =>
      kendall(
        pages.map(({ scores }) => scores[j] as number),
        ranksOf(pages),
      ),
    );
    const heldOut = heldOutScores(pages, options) as Float64Array;
    const by = fitRanking(pages, options);
    const seen = kendall(
      pages.map(({ scores }) => combined(scores, by)),
      ranksOf(pages),
    );
    expect(kendall(heldOut, ranksOf(pages))).toBeGreaterThan(Math.max(...alone));
    expect(seen).toBeGreaterThanOrEqual(kendall(heldOut, ranksOf(pages)));
  });

  it('a ranking by chance => held out no better than chance', () => {
    const found = Array.from({ length: 12 }, (_, seed) => {
      const random = randomNumbers(seed + 50);
      const pages = rankedPages(seed, 30, 0).map(({ scores }) => ({ scores, rank: random() }));
      return kendall(heldOutScores(pages, { random, repetitions: 1 }) as Float64Array, ranksOf(pages));
    });
    const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
    expect(Math.abs(mean)).toBeLessThan(0.12);
  });

  it('nothing ranked, one page, all alike, three pages => weights of 0 or few; nothing held out', () => {
    const options = { random: randomNumbers(1) };
    expect(fitRanking([], options)).toEqual([]);
    expect(fitRanking([{ scores: [1, 2], rank: 1 }], options).map(({ weight }) => weight)).toEqual([0, 0]);
    const alike = [1, 2, 3, 4, 5].map((score) => ({ scores: [score], rank: 1 }));
    expect(fitRanking(alike, options)[0]?.weight).toBe(0);
    expect(heldOutScores(alike.slice(0, 3), options)).toBeUndefined();
    expect([...(heldOutScores(alike, options) ?? [])]).toEqual([0, 0, 0, 0, 0]);
  });

  it('more pairs than are looked at => about the weights of all', () => {
    const few = fitRanking(rankedPages(9, 80, 0.3), { random: randomNumbers(1) });
    const many = fitRanking(rankedPages(9, 200, 0.3), { random: randomNumbers(1) });
    const ratio = ([a, b]: typeof few) => (a?.weight ?? 0) / (b?.weight ?? 1);
    expect(Math.abs(ratio(many) - ratio(few))).toBeLessThan(0.5);
  });
});

describe('rankAgreement', () => {
  it('the same => 1 without error; two of four pairs decided by both, one alike => half', () => {
    expect(rankAgreement([1, 2, 3, 4], [1, 2, 3, 4])).toEqual({
      pages: 4,
      kendall: 1,
      error: 0,
      spearman: 1,
      agreed: 1,
    });
    // Ordered by both sides: (0, 2) the same way, (1, 2) not.
    expect(rankAgreement([1, 3, 2], [1, 1, 2]).agreed).toBe(0.5);
    expect(rankAgreement([1, 1], [1, 2]).agreed).toBeNull();
  });

  it('the error told is about the spread of τ over draws', () => {
    const random = randomNumbers(12);
    const drawn = Array.from({ length: 60 }, () => {
      const a = Array.from({ length: 40 }, () => random());
      return rankAgreement(
        a,
        a.map((value) => value + random()),
      );
    });
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const middle = mean(drawn.map(({ kendall: value }) => value));
    const spread = Math.sqrt(mean(drawn.map(({ kendall: value }) => (value - middle) ** 2)));
    expect(mean(drawn.map(({ error }) => error)) / spread).toBeGreaterThan(0.7);
    expect(mean(drawn.map(({ error }) => error)) / spread).toBeLessThan(1.4);
  });
});
