import type { LogisticModel } from '../science/layout/importance/logistic.ts';
import { softmax } from '../science/layout/importance/logistic.ts';

/**
 * Multinomial logistic regression with a ridge penalty on standardised features, by gradient descent with Nesterov's
 * momentum. The problem is convex, the search deterministic. It minimises
 *
 *   Σ_i weight_i · −log p(label_i) / Σ_i weight_i + penalty/2 · Σ_k |w_k|²
 *
 * where w_k are the weights of class k without its intercept. Two classes are the ordinary logistic regression:
 * w_1 = −w_0, so a ridge of r on its one vector w_1 − w_0 is a penalty of 2r here.
 */
export interface Example {
  readonly features: ArrayLike<number>;
  /** Counted from 0. */
  readonly label: number;
  readonly weight: number;
}

export interface FitOptions {
  readonly classes: number;
  readonly penalty: number;
  /** Upper bound; the search ends earlier once no weight moves. */
  readonly steps: number;
  /** Whether classes have equal weight, however many examples they have. */
  readonly balanced?: boolean;
}

/** The search ends when no weight moves by more than this. */
const SETTLED = 1e-12;

export function fitLogistic(
  features: readonly string[],
  examples: readonly Example[],
  options: FitOptions,
): LogisticModel {
  const { classes, penalty, steps } = options;
  const total = examples.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const shares = examples.map(({ weight }) => weight / total);
  const { mean, scale } = moments(examples, shares, features.length);
  const size = features.length + 1;
  const rows = examples.map((example) =>
    Float64Array.from({ length: size }, (_, j) =>
      j === 0
        ? 1
        : ((example.features[j - 1] as number) - (mean[j - 1] as number)) / (scale[j - 1] as number),
    ),
  );
  const factor = options.balanced ? balance(examples, shares, classes) : new Array<number>(classes).fill(1);
  const losses = examples.map(({ label }, i) => (shares[i] as number) * (factor[label] as number));
  const weights = Array.from({ length: classes }, () => new Float64Array(size));
  const ahead = weights.map((own) => Float64Array.from(own));
  // The curvature of the loss is at most half the largest eigenvalue of the features' second moments.
  const rate = 1 / (0.5 * largestEigenvalue(rows, losses) + penalty);
  for (let step = 0; step < steps; step++) {
    const gradient = gradientAt(ahead, rows, examples, losses);
    const momentum = step / (step + 3);
    let largest = 0;
    weights.forEach((own, k) => {
      const [a, g] = [ahead[k], gradient[k]] as [Float64Array, Float64Array];
      for (let j = 0; j < size; j++) {
        // Intercepts are not shrunk.
        const shrink = j === 0 ? 0 : penalty * (a[j] as number);
        const next = (a[j] as number) - rate * ((g[j] as number) + shrink);
        const change = next - (own[j] as number);
        a[j] = next + momentum * change;
        own[j] = next;
        largest = Math.max(largest, Math.abs(change));
      }
    });
    if (largest < SETTLED) break;
  }
  return { features, mean, scale, weights: weights.map((own) => [...own]) };
}

/** Gradient of the mean loss, for each class. */
function gradientAt(
  weights: readonly Float64Array[],
  rows: readonly Float64Array[],
  examples: readonly Example[],
  losses: readonly number[],
): Float64Array[] {
  const gradient = weights.map(({ length }) => new Float64Array(length));
  rows.forEach((row, i) => {
    const scores = weights.map((own) => {
      let score = 0;
      for (let j = 0; j < own.length; j++) score += (row[j] as number) * (own[j] as number);
      return score;
    });
    softmax(scores).forEach((p, k) => {
      const error = (p - (k === examples[i]?.label ? 1 : 0)) * (losses[i] as number);
      const own = gradient[k] as Float64Array;
      for (let j = 0; j < own.length; j++) own[j] = (own[j] as number) + error * (row[j] as number);
    });
  });
  return gradient;
}

function moments(examples: readonly Example[], shares: readonly number[], width: number) {
  const average = (of: (features: ArrayLike<number>) => number): number =>
    examples.reduce((sum, { features }, i) => sum + (shares[i] as number) * of(features), 0);
  const mean = Array.from({ length: width }, (_, j) => average((x) => x[j] as number));
  const scale = mean.map((m, j) => Math.sqrt(average((x) => ((x[j] as number) - m) ** 2)) || 1);
  return { mean, scale };
}

/** Weights that make all classes present weigh the same. */
function balance(examples: readonly Example[], shares: readonly number[], classes: number): number[] {
  const held = new Array<number>(classes).fill(0);
  examples.forEach(({ label }, i) => {
    held[label] = (held[label] as number) + (shares[i] as number);
  });
  const present = held.filter((share) => share > 0).length;
  return held.map((share) => (share > 0 ? 1 / (present * share) : 0));
}

/** Power iteration on the weighted second moments, plus a margin since it converges from below. */
function largestEigenvalue(rows: readonly Float64Array[], losses: readonly number[]): number {
  const width = rows[0]?.length ?? 0;
  let vector = new Float64Array(width).fill(1 / Math.sqrt(width));
  let size = 1;
  for (let round = 0; round < 30; round++) {
    const next = new Float64Array(width);
    rows.forEach((row, i) => {
      let dot = 0;
      for (let j = 0; j < width; j++) dot += (row[j] as number) * (vector[j] as number);
      const share = dot * (losses[i] as number);
      for (let j = 0; j < width; j++) next[j] = (next[j] as number) + share * (row[j] as number);
    });
    size = Math.hypot(...next);
    if (size === 0) return 1;
    vector = next.map((x) => x / size);
  }
  return size * 1.1;
}
