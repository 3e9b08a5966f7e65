/** Logistic regression with a ridge penalty on standardised features, by Newton's method. Small and exact. */
export interface Example {
  readonly features: ArrayLike<number>;
  readonly label: 0 | 1;
  readonly weight: number;
}

export interface LinearModel {
  readonly intercept: number;
  /** On the features as given, not standardised. */
  readonly weights: readonly number[];
}

const ROUNDS = 50;

export function fitLogistic(examples: readonly Example[], ridge: number): LinearModel {
  const n = examples[0]?.features.length ?? 0;
  const { means, scales } = standardise(examples, n);
  const size = n + 1;
  const rows = examples.map(({ features }) =>
    Float64Array.from({ length: size }, (_, j) =>
      j === 0 ? 1 : ((features[j - 1] as number) - (means[j - 1] as number)) / (scales[j - 1] as number),
    ),
  );
  const beta = new Float64Array(size);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = new Float64Array(size);
    const hessian = Array.from({ length: size }, () => new Float64Array(size));
    examples.forEach(({ label, weight }, i) => {
      const row = rows[i] as Float64Array;
      const p = 1 / (1 + Math.exp(-row.reduce((sum, x, j) => sum + x * (beta[j] as number), 0)));
      for (let j = 0; j < size; j++) {
        (gradient[j] as number) += weight * (label - p) * (row[j] as number);
        const line = hessian[j] as Float64Array;
        for (let k = 0; k < size; k++)
          (line[k] as number) += weight * p * (1 - p) * (row[j] as number) * (row[k] as number);
      }
    });
    for (let j = 0; j < size; j++) {
      // The intercept is not shrunk; a trace keeps the system solvable where all labels agree.
      (gradient[j] as number) -= (j === 0 ? 0 : ridge) * (beta[j] as number);
      ((hessian[j] as Float64Array)[j] as number) += (j === 0 ? 0 : ridge) + 1e-6;
    }
    const step = solve(hessian, gradient);
    let largest = 0;
    for (let j = 0; j < size; j++) {
      (beta[j] as number) += step[j] as number;
      largest = Math.max(largest, Math.abs(step[j] as number));
    }
    if (largest < 1e-9) break;
  }
  const weights = Array.from({ length: n }, (_, j) => (beta[j + 1] as number) / (scales[j] as number));
  const intercept = weights.reduce((sum, w, j) => sum - w * (means[j] as number), beta[0] ?? 0);
  return { intercept, weights };
}

function standardise(examples: readonly Example[], n: number) {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const mean = (value: (features: ArrayLike<number>) => number): number =>
    examples.reduce((sum, { features, weight }) => sum + weight * value(features), 0) / total;
  const means = Array.from({ length: n }, (_, j) => mean((x) => x[j] as number));
  const scales = means.map((m, j) => Math.sqrt(mean((x) => ((x[j] as number) - m) ** 2)) || 1);
  return { means, scales };
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
