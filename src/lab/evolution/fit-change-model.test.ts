import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import type { DirectoryFeatures } from '../../science/evolution/change-features.ts';
import { changeShares } from '../../science/evolution/change-model.ts';
import { type ChangeExample, fitChangeModel } from './fit-change-model.ts';

const TRUE = [0.8, -0.5, 0.2];
const random = randomNumbers(3);

function features(directories: number): DirectoryFeatures {
  return {
    directories: Int32Array.from({ length: directories }, (_, d) => d),
    pages: Float64Array.from({ length: directories }, () => 1 + Math.floor(20 * random())),
    spans: new Float64Array(directories).fill(1),
    rows: Array.from({ length: directories }, () => Float64Array.from(TRUE, () => 4 * random() - 2)),
  };
}

const examples: ChangeExample[] = Array.from({ length: 40 }, () => {
  const own = features(15);
  return { features: own, shares: changeShares(own, TRUE), weight: 1 / 40 };
});

describe('fitChangeModel', () => {
  it('shares made by known coefficients => these coefficients', () => {
    const fitted = fitChangeModel(examples, 0);
    fitted.forEach((b, j) => {
      expect(b).toBeCloseTo(TRUE[j] as number, 4);
    });
  });

  it('a heavier penalty => smaller coefficients; a feature that never differs => 0', () => {
    const norm = (penalty: number): number => Math.hypot(...fitChangeModel(examples, penalty));
    expect(norm(0)).toBeGreaterThan(norm(0.1));
    expect(norm(0.1)).toBeGreaterThan(norm(10));
    const widened = examples.map((example) => ({
      ...example,
      features: {
        ...example.features,
        rows: example.features.rows.map((row) => Float64Array.of(...row, 1)),
      },
    }));
    expect(fitChangeModel(widened, 0.001)[3]).toBeCloseTo(0, 6);
  });
});
