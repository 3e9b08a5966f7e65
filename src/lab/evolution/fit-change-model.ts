import type { DirectoryFeatures } from '../../science/evolution/change-features.ts';
import { type ChangeCoefficients, changeShares } from '../../science/evolution/change-model.ts';
import { solvePositive } from '../../science/rates/solve-positive.ts';

/**
 * The coefficients of the change model by penalised likelihood, maximising
 *
 *   Σ_i weight_i · Σ_d y_id · log s_id − penalty · |β · σ|²
 *
 * where y_id is the share of the changes of version i that were in directory d, s_id the model's share, and σ the spread
 * of each feature. The objective is concave: Newton steps, halved when one overshoots.
 */
export interface ChangeExample {
  readonly features: DirectoryFeatures;
  /** y, in the order of the features; adds up to 1. */
  readonly shares: Float64Array;
  readonly weight: number;
}

const STEPS = 50;
const SETTLED = 1e-9;

export function fitChangeModel(examples: readonly ChangeExample[], penalty: number): ChangeCoefficients {
  const width = examples[0]?.features.rows[0]?.length ?? 0;
  const spread = spreads(examples, width);
  const ridge = (j: number): number => penalty * (spread[j] as number) ** 2;
  const worth = (beta: ChangeCoefficients): number =>
    examples.reduce((sum, example) => sum + example.weight * logLikelihood(example, beta), 0) -
    beta.reduce((sum, b, j) => sum + ridge(j) * b * b, 0);
  let beta: number[] = new Array<number>(width).fill(0);
  let value = worth(beta);
  for (let step = 0; step < STEPS; step++) {
    const { gradient, curvature } = derivatives(examples, beta);
    beta.forEach((b, j) => {
      gradient[j] = (gradient[j] as number) - 2 * ridge(j) * b;
      const diagonal = j * width + j;
      curvature[diagonal] = (curvature[diagonal] as number) + 2 * ridge(j);
    });
    const direction = solvePositive(curvature, gradient);
    let length = 1;
    let next = beta;
    let reached = value;
    for (; length > 1e-6; length /= 2) {
      next = beta.map((b, j) => b + length * (direction[j] as number));
      reached = worth(next);
      if (reached >= value) break;
    }
    if (reached - value < SETTLED) break;
    [beta, value] = [next, reached];
  }
  return beta;
}

function logLikelihood({ features, shares }: ChangeExample, beta: ChangeCoefficients): number {
  const model = changeShares(features, beta);
  return shares.reduce((sum, y, d) => (y === 0 ? sum : sum + y * Math.log(model[d] as number)), 0);
}

/** The gradient, and the lower half of the negated second derivatives, row by row. */
function derivatives(examples: readonly ChangeExample[], beta: ChangeCoefficients) {
  const width = beta.length;
  const gradient = new Float64Array(width);
  const curvature = new Float64Array(width * width);
  const add = (j: number, k: number, value: number): void => {
    curvature[j * width + k] = (curvature[j * width + k] as number) + value;
  };
  for (const { features, shares, weight } of examples) {
    const model = changeShares(features, beta);
    const mean = new Float64Array(width);
    features.rows.forEach((row, d) => {
      const [p, y] = [model[d], shares[d]] as [number, number];
      for (let j = 0; j < width; j++) {
        const x = row[j] as number;
        mean[j] = (mean[j] as number) + p * x;
        gradient[j] = (gradient[j] as number) + weight * (y - p) * x;
        for (let k = 0; k <= j; k++) add(j, k, weight * p * x * (row[k] as number));
      }
    });
    mean.forEach((a, j) => {
      for (let k = 0; k <= j; k++) add(j, k, -weight * a * (mean[k] as number));
    });
  }
  return { gradient, curvature };
}

function spreads(examples: readonly ChangeExample[], width: number): Float64Array {
  const [sum, squares] = [new Float64Array(width), new Float64Array(width)];
  let count = 0;
  for (const { features } of examples)
    for (const row of features.rows) {
      count++;
      for (let j = 0; j < width; j++) {
        sum[j] = (sum[j] as number) + (row[j] as number);
        squares[j] = (squares[j] as number) + (row[j] as number) ** 2;
      }
    }
  return squares.map((square, j) => {
    const variance = square / count - ((sum[j] as number) / count) ** 2;
    // A feature that no example has stays at 0 because of the ridge.
    return variance > 1e-12 ? Math.sqrt(variance) : 1;
  });
}
