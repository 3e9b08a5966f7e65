import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assign } from './assignment.ts';
import { sharcThreshold } from './sharc-threshold.ts';
import { sharpAssignment } from './sharp-assignment.ts';
import { expectedSharp } from './sharp-pages.ts';

/** The textbook method, O(n³): potentials over rows and columns, one augmenting path per row. */
function hungarian(values: readonly (readonly number[])[]): number {
  const n = values.length;
  const u = new Float64Array(n + 1);
  const v = new Float64Array(n + 1);
  const match = new Int32Array(n + 1);
  const way = new Int32Array(n + 1);
  const at = (a: Float64Array | Int32Array, i: number): number => a[i] as number;
  for (let i = 1; i <= n; i++) {
    match[0] = i;
    let column = 0;
    const least = new Float64Array(n + 1).fill(Number.POSITIVE_INFINITY);
    const used = new Uint8Array(n + 1);
    do {
      used[column] = 1;
      const row = at(match, column);
      let delta = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let j = 1; j <= n; j++) {
        if (used[j]) continue;
        const cost = -(values[row - 1]?.[j - 1] as number) - at(u, row) - at(v, j);
        if (cost < at(least, j)) {
          least[j] = cost;
          way[j] = column;
        }
        if (at(least, j) < delta) {
          delta = at(least, j);
          next = j;
        }
      }
      for (let j = 0; j <= n; j++) {
        if (used[j]) {
          u[at(match, j)] = at(u, at(match, j)) + delta;
          v[j] = at(v, j) - delta;
        } else least[j] = at(least, j) - delta;
      }
      column = next;
    } while (at(match, column) !== 0);
    do {
      const before = at(way, column);
      match[column] = at(match, before);
      column = before;
    } while (column !== 0);
  }
  let sum = 0;
  for (let j = 1; j <= n; j++) sum += values[at(match, j) - 1]?.[j - 1] as number;
  return sum;
}

function bruteForce(values: readonly (readonly number[])[], row = 0, used = 0): number {
  if (row === values.length) return 0;
  let best = Number.NEGATIVE_INFINITY;
  for (let j = 0; j < values.length; j++) {
    if (used & (1 << j)) continue;
    best = Math.max(best, (values[row]?.[j] as number) + bruteForce(values, row + 1, used | (1 << j)));
  }
  return best;
}

const solve = (values: readonly (readonly number[])[]) =>
  assign(values.length, (row, first, step, out) => {
    for (let j = 0; j < out.length; j++) out[j] = values[row]?.[first + j * step] as number;
  });

describe('assign', () => {
  const matrix = (max: number, value: fc.Arbitrary<number>) =>
    fc
      .integer({ min: 1, max })
      .chain((n) =>
        fc.array(fc.array(value, { minLength: n, maxLength: n }), { minLength: n, maxLength: n }),
      );

  test('any matrix up to 7 => brute force, ties and equal rows too', () => {
    fc.assert(
      fc.property(
        matrix(7, fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ min: -5, max: 5, noNaN: true }))),
        (values) => {
          const { columns, value, bound } = solve(values);
          expect(new Set(columns).size).toBe(values.length);
          expect(value).toBeCloseTo(bruteForce(values), 9);
          expect(bound).toBeCloseTo(value, 9);
        },
      ),
    );
  });

  test('150 rows, coarse start => the Hungarian method', () => {
    let seed = 7;
    const next = (): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed / 4_294_967_296;
    };
    const values = Array.from({ length: 150 }, () => Array.from({ length: 150 }, next));
    const { value, bound } = solve(values);
    expect(value).toBeCloseTo(hungarian(values), 9);
    expect(bound).toBeCloseTo(value, 9);
  });
});

describe('sharp-assignment', () => {
  const page = fc.tuple(
    fc.oneof(fc.constant(0), fc.double({ min: 1e-4, max: 2, noNaN: true })),
    fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0.1, max: 5, noNaN: true })),
  );
  const valuesOf = (rates: number[], weights: number[], delay: number) =>
    rates.map((rate, i) =>
      rates.map((_, j) => (weights[i] as number) * Math.exp(-rate * (2 * j + 1) * delay)),
    );

  test('up to 7 pages, weighted => brute force over all assignments of pages to gaps', () => {
    fc.assert(
      fc.property(
        fc.array(page, { minLength: 1, maxLength: 7 }),
        fc.constantFrom(0.05, 0.3, 1),
        (pages, delay) => {
          const rates = pages.map(([rate]) => rate);
          const weights = pages.map(([, weight]) => weight);
          const found = sharpAssignment({ rates, weights, delay });
          const most = bruteForce(valuesOf(rates, weights, delay));
          expect(found.expected).toBeCloseTo(most, 9);
          expect(expectedSharp({ rates, weights }, found)).toBeCloseTo(most, 9);
        },
      ),
    );
  });

  test('200 pages, weighted => the Hungarian method, and the bound proves it', () => {
    const rates = Array.from({ length: 200 }, (_, i) => 0.03 * (((i * 97) % 200) / 200) ** 2);
    const weights = rates.map((_, i) => 0.2 + ((i * 31) % 17) / 5);
    const found = sharpAssignment({ rates, weights, delay: 1 });
    expect(found.expected).toBeCloseTo(hungarian(valuesOf(rates, weights, 1)), 8);
    expect(found.bound - found.expected).toBeLessThan(1e-8);
  });

  test('never fewer expected sharp pages than SHARC-threshold, and more where importance counts', () => {
    const rates = Array.from({ length: 100 }, (_, i) => 0.001 * (i + 1));
    const weights = rates.map((_, i) => (i > 80 ? 10 : 1));
    const site = { rates, weights, delay: 1 };
    const threshold = expectedSharp(site, sharcThreshold(site));
    expect(sharpAssignment(site).expected).toBeGreaterThan(1.1 * threshold);
    const plain = { rates, delay: 1 };
    expect(sharpAssignment(plain).expected).toBeGreaterThanOrEqual(
      expectedSharp(plain, sharcThreshold(plain)) - 1e-9,
    );
  });
});
