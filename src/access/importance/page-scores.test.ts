import { expect, it } from 'vitest';
import {
  combinedImportance,
  DEFAULT_WEIGHTS,
  importanceOfSites,
  mostImportant,
  scaleOf,
} from './page-scores.ts';

const scores = {
  pages: Int32Array.of(10, 11, 12),
  siteIds: Int32Array.of(1, 1, 2),
  values: {
    links: Float64Array.of(0.5, 0.3, 0.1),
    pageRank: Float64Array.of(0.2, 0.2, 0.2),
    infrequentWords: Float64Array.of(100, Number.NaN, 400),
    textWeight: Float64Array.of(0, 0.1, 0.4),
  },
};
const shares = (weights: object, factor?: (place: number) => number): number[] =>
  [...combinedImportance(scores, scaleOf(scores, { ...DEFAULT_WEIGHTS, ...weights }), factor)].map((share) =>
    Number(share.toFixed(6)),
  );

it('links: 1 alone => shares of importance by links; a decision of 3 times => counts so', () => {
  expect(shares({})).toEqual([0.555556, 0.333333, 0.111111]);
  expect(shares({}, (place) => (place === 2 ? 3 : 1))).toEqual([0.454545, 0.272727, 0.272727]);
});

it('words: 1 alone => shares by words, a page without value as the mean page', () => {
  expect(shares({ links: 0, infrequentWords: 1 })).toEqual([0.142857, 0.285714, 0.571429]);
});

it('half of the power, a criterion that is 0 somewhere => no page falls out', () => {
  expect(shares({ links: 0.5 })[0]).toBeCloseTo(
    Math.sqrt(0.5) / (Math.sqrt(0.5) + Math.sqrt(0.3) + Math.sqrt(0.1)),
    5,
  );
  expect(Math.min(...shares({ textWeight: 1 }))).toBeGreaterThan(0);
});

it('importance by page => by site, and the first pages', () => {
  const importance = Float64Array.of(0.2, 0.5, 0.3);
  expect(importanceOfSites(scores, importance).get(1)).toEqual({ importance: 0.7, pages: 2 });
  expect(mostImportant(importance, 2)).toEqual([1, 2]);
  expect(mostImportant(importance, 9, (place) => place !== 1)).toEqual([2, 0]);
});
