/**
 * Log-odds as a weighted sum of features, fitted to judged pages: logistic regression by Newton's method with a normal prior
 * around the previous weights. Few judged pages move them little, many as far as they tell; with none they stay.
 * lab/fit-logistic.ts is the other one: several classes, from nothing, for training that happens once.
 *
 * Maximised is Σ weight·[y·ln p + (1 − y)·ln(1 − p)] − Σ_j (w_j − start_j)² / (2·DOUBT²), p = 1/(1 + e^{−w·x}), which is
 * concave. DOUBT is the standard deviation of the prior; the caller's `doubt` replaces it if given. Cost: a few passes over the
 * pages.
 */
import { solvePositive } from '../rates/solve-positive.ts';

export interface JudgedExample {
  /** The first is 1, for the intercept. */
  readonly features: readonly number[];
  /** Whether it belongs; or a chance, where that itself is an estimate. */
  readonly belongs: number;
  /** 1 unless given. */
  readonly weight?: number;
}

/** Standard deviation of a weight around its configured value: people's guesses, right to about a factor e². */
const DOUBT = 2;
const STEPS = 50;
const SETTLED = 1e-9;

export const chanceOf = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

export const weighed = (features: readonly number[], weights: readonly number[]): number => {
  let sum = 0;
  for (let j = 0; j < features.length; j++) sum += (features[j] as number) * (weights[j] as number);
  return sum;
};

export function fitLogOdds(
  examples: readonly JudgedExample[],
  start: readonly number[],
  doubt = DOUBT,
): readonly number[] {
  let weights = [...start];
  let best = penalised(examples, weights, { start, doubt });
  for (let step = 0; step < STEPS; step++) {
    const direction = newtonStep(examples, weights, { start, doubt });
    // A full step may overshoot where chances are near 0 or 1.
    let length = 1;
    let next = weights;
    let value = Number.NEGATIVE_INFINITY;
    while (length > 1e-4) {
      next = weights.map((weight, j) => weight + length * (direction[j] as number));
      value = penalised(examples, next, { start, doubt });
      if (value >= best) break;
      length /= 2;
    }
    if (value < best) break;
    const moved = Math.max(0, ...next.map((weight, j) => Math.abs(weight - (weights[j] as number))));
    [weights, best] = [next, value];
    if (moved < SETTLED) break;
  }
  return weights;
}

/** Weights are expected around `start`, within about `doubt`. */
interface Prior {
  readonly start: readonly number[];
  readonly doubt: number;
}

function penalised(
  examples: readonly JudgedExample[],
  weights: readonly number[],
  { start, doubt }: Prior,
): number {
  let sum = 0;
  for (const { features, belongs, weight = 1 } of examples) {
    const z = weighed(features, weights);
    // y·ln p + (1 − y)·ln(1 − p) = y·z − ln(1 + e^z), without overflow.
    sum += weight * (belongs * z - (Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)))));
  }
  return weights.reduce(
    (value, weight, j) => value - (weight - (start[j] as number)) ** 2 / (2 * doubt ** 2),
    sum,
  );
}

function newtonStep(
  examples: readonly JudgedExample[],
  weights: readonly number[],
  { start, doubt }: Prior,
): Float64Array {
  const size = weights.length;
  const curvature = new Float64Array(size * size);
  const slope = Float64Array.from(weights, (weight, j) => ((start[j] as number) - weight) / doubt ** 2);
  for (let j = 0; j < size; j++) curvature[j * size + j] = 1 / doubt ** 2;
  for (const { features, belongs, weight = 1 } of examples) {
    const p = chanceOf(weighed(features, weights));
    const [miss, spread] = [weight * (belongs - p), weight * p * (1 - p)];
    for (let i = 0; i < size; i++) {
      const x = features[i] as number;
      if (x === 0) continue;
      slope[i] = (slope[i] as number) + miss * x;
      for (let j = 0; j <= i; j++)
        curvature[i * size + j] = (curvature[i * size + j] as number) + spread * x * (features[j] as number);
    }
  }
  return solvePositive(curvature, slope);
}
