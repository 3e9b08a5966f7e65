import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unvisitedInMirror } from './mirror-sample.ts';

test('16 of 17 agree => 2 in 19 of the others expected to differ; 17 of 17 => 1 in 19, and no certainty', () => {
  const one = unvisitedInMirror({ compared: 17, agreeing: 16 }, 73);
  expect(one.expectedMissed).toBeCloseTo((73 * 2) / 19);
  // B(2, 17 + 73) / B(2, 17) = (17 · 18) / (90 · 91)
  expect(one.confidence).toBeCloseTo((17 * 18) / (90 * 91));
  const all = unvisitedInMirror({ compared: 17, agreeing: 17 }, 73);
  expect(all.expectedMissed).toBeCloseTo(73 / 19);
  expect(all.confidence).toBeCloseTo(18 / (18 + 73));
});

test('nothing compared => half of them; no page left => nothing missed, for sure', () => {
  expect(unvisitedInMirror({ compared: 0, agreeing: 0 }, 1)).toEqual({
    expectedMissed: 0.5,
    confidence: 0.5,
  });
  expect(unvisitedInMirror({ compared: 17, agreeing: 16 }, 0)).toEqual({ expectedMissed: 0, confidence: 1 });
});

test('any sample => never more than all, never sure, and the chance of a difference within what is expected', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(100), fc.nat(60), (agreeing, differing, pages) => {
      const { expectedMissed, confidence } = unvisitedInMirror(
        { compared: agreeing + differing, agreeing },
        pages,
      );
      expect(expectedMissed).toBeLessThanOrEqual(pages);
      // Markov: the chance that some page differs is at most the expected number that does.
      expect(1 - confidence).toBeLessThanOrEqual(expectedMissed + 1e-9);
      if (pages > 0) expect(confidence).toBeLessThan(1);
    }),
  );
});
