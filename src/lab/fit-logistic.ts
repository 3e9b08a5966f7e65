import type { LogisticModel } from '../science/layout/importance/logistic.ts';
import { softmax } from '../science/layout/importance/logistic.ts';

/**
 * Multinomial logistic regression with a ridge penalty on standardised features, by Newton's method: small, exact, and
 * without chance. Minimised is
 *
 *   Σ_i weight_i · −log p(label_i) + penalty/2 · Σ_k |w_k|²
 *
 * where w_k are the weights of class k without its intercept. Two classes are the ordinary logistic regression:
 * w_1 = −w_0, so a ridge of r on its one vector w_1 − w_0 is a penalty of 2r here.
 */
export interface Example {
  readonly features: ArrayLike<number>;
  /** From 0. */
  readonly label: number;
  readonly weight: number;
}

const ROUNDS = 50;
/** A step this small in every coefficient ends the search. */
const SETTLED = 1e-9;
/** Added to the curvature: it keeps the system solvable where labels agree, and moves no optimum. */
const TRACE = 1e-6;

export function fitLogistic(
  features: readonly string[],
  examples: readonly Example[],
  { classes, penalty }: { readonly classes: number; readonly penalty: number },
): LogisticModel {
  const { mean, scale } = moments(examples, features.length);
  const size = features.length + 1;
  const rows = examples.map((example) =>
    Float64Array.from({ length: size }, (_, j) =>
      j === 0
        ? 1
        : ((example.features[j - 1] as number) - (mean[j - 1] as number)) / (scale[j - 1] as number),
    ),
  );
  const weights = Array.from({ length: classes }, () => new Float64Array(size));
  for (let round = 0; round < ROUNDS; round++) {
    const { gradient, curvature } = derivatives(weights, rows, examples);
    weights.forEach((own, k) => {
      for (let j = 0; j < size; j++) {
        const at = k * size + j;
        // Intercepts are not shrunk.
        const shrink = j === 0 ? 0 : penalty;
        (gradient[at] as number) -= shrink * (own[j] as number);
        ((curvature[at] as Float64Array)[at] as number) += shrink + TRACE;
      }
    });
    const step = solve(curvature, gradient);
    weights.forEach((own, k) => {
      for (let j = 0; j < size; j++) (own[j] as number) += step[k * size + j] as number;
    });
    if (step.every((change) => Math.abs(change) < SETTLED)) break;
  }
  return { features, mean, scale, weights: weights.map((own) => [...own]) };
}

/** Of the likelihood: uphill, and the negative matrix of second derivatives, over all classes' weights in a row. */
function derivatives(
  weights: readonly Float64Array[],
  rows: readonly Float64Array[],
  examples: readonly Example[],
): { gradient: Float64Array; curvature: Float64Array[] } {
  const size = weights[0]?.length ?? 0;
  const all = weights.length * size;
  const gradient = new Float64Array(all);
  const curvature = Array.from({ length: all }, () => new Float64Array(all));
  examples.forEach(({ label, weight }, i) => {
    const row = rows[i] as Float64Array;
    const p = softmax(weights.map((own) => own.reduce((sum, w, j) => sum + w * (row[j] as number), 0)));
    p.forEach((pk, k) => {
      const error = weight * ((k === label ? 1 : 0) - pk);
      for (let j = 0; j < size; j++) (gradient[k * size + j] as number) += error * (row[j] as number);
      p.forEach((pl, l) => {
        const both = weight * pk * ((k === l ? 1 : 0) - pl);
        for (let j = 0; j < size; j++) {
          const line = curvature[k * size + j] as Float64Array;
          const factor = both * (row[j] as number);
          for (let m = 0; m < size; m++) (line[l * size + m] as number) += factor * (row[m] as number);
        }
      });
    });
  });
  return { gradient, curvature };
}

function moments(examples: readonly Example[], width: number): { mean: number[]; scale: number[] } {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const average = (of: (features: ArrayLike<number>) => number): number =>
    examples.reduce((sum, { features, weight }) => sum + weight * of(features), 0) / total;
  const mean = Array.from({ length: width }, (_, j) => average((x) => x[j] as number));
  const scale = mean.map((m, j) => Math.sqrt(average((x) => ((x[j] as number) - m) ** 2)) || 1);
  return { mean, scale };
}

/** Gauss with partial pivoting; both arguments are used up. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  const at = (i: number, j: number): number => (matrix[i] as Float64Array)[j] as number;
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let k = i + 1; k < n; k++) if (Math.abs(at(k, i)) > Math.abs(at(pivot, i))) pivot = k;
    [matrix[i], matrix[pivot]] = [matrix[pivot] as Float64Array, matrix[i] as Float64Array];
    [right[i], right[pivot]] = [right[pivot] as number, right[i] as number];
    for (let k = i + 1; k < n; k++) {
      const factor = at(k, i) / at(i, i);
      if (factor === 0) continue;
      for (let j = i; j < n; j++) ((matrix[k] as Float64Array)[j] as number) -= factor * at(i, j);
      (right[k] as number) -= factor * (right[i] as number);
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) (right[i] as number) -= at(i, j) * (right[j] as number);
    (right[i] as number) /= at(i, i);
  }
  return right;
}
