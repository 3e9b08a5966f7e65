import type { LogisticModel } from '../../science/layout/importance/logistic.ts';
import { softmax } from '../../science/layout/importance/logistic.ts';

/**
 * Trains a multinomial logistic model: penalised likelihood, classes weighted so that each counts alike, by
 * gradient descent with Nesterov's momentum. The problem is convex; no chance is involved.
 */
export interface TrainingSet {
  readonly features: readonly (readonly number[])[];
  readonly labels: readonly number[];
}

export interface TrainingOptions {
  readonly classes: number;
  /** Weight of the squared weights against the mean loss of a sample. */
  readonly penalty: number;
  readonly steps: number;
}

export function trainLogistic(
  names: readonly string[],
  set: TrainingSet,
  options: TrainingOptions,
): LogisticModel {
  const { classes, penalty, steps } = options;
  const count = set.features.length;
  const width = names.length;
  const { mean, scale } = moments(set.features, width);
  const rows = set.features.map((row) =>
    Float64Array.from(row, (x, j) => (x - (mean[j] as number)) / (scale[j] as number)),
  );
  const weightOf = classWeights(set.labels, classes);
  const weights = Array.from({ length: classes }, () => new Float64Array(width + 1));
  const ahead = weights.map((row) => Float64Array.from(row));
  // The curvature of the loss is at most half the largest eigenvalue of the features' second moments, under their trace.
  const rate = 1 / (0.5 * largestEigenvalue(rows, width) + penalty);
  const scores = new Array<number>(classes).fill(0);
  for (let step = 0; step < steps; step++) {
    const gradient = weights.map(() => new Float64Array(width + 1));
    for (let i = 0; i < count; i++) {
      const row = rows[i] as Float64Array;
      for (let k = 0; k < classes; k++) {
        const a = ahead[k] as Float64Array;
        let score = a[0] as number;
        for (let j = 0; j < width; j++) score += (row[j] as number) * (a[j + 1] as number);
        scores[k] = score;
      }
      const p = softmax(scores);
      const label = set.labels[i] as number;
      const importance = (weightOf[label] as number) / count;
      for (let k = 0; k < classes; k++) {
        const error = ((p[k] as number) - (k === label ? 1 : 0)) * importance;
        const g = gradient[k] as Float64Array;
        g[0] = (g[0] as number) + error;
        for (let j = 0; j < width; j++) g[j + 1] = (g[j + 1] as number) + error * (row[j] as number);
      }
    }
    const momentum = step / (step + 3);
    for (let k = 0; k < classes; k++) {
      const [w, a, g] = [weights[k], ahead[k], gradient[k]] as [Float64Array, Float64Array, Float64Array];
      for (let j = 0; j <= width; j++) {
        const shrink = j === 0 ? 0 : penalty * (a[j] as number);
        const next = (a[j] as number) - rate * ((g[j] as number) + shrink);
        a[j] = next + momentum * (next - (w[j] as number));
        w[j] = next;
      }
    }
  }
  return { features: names, mean, scale, weights: weights.map((row) => [...row]) };
}

function moments(rows: readonly (readonly number[])[], width: number): { mean: number[]; scale: number[] } {
  const mean = Array.from({ length: width }, (_, j) => average(rows, (row) => row[j] as number));
  const scale = mean.map((m, j) => Math.sqrt(average(rows, (row) => ((row[j] as number) - m) ** 2)) || 1);
  return { mean, scale };
}

const average = (rows: readonly (readonly number[])[], of: (row: readonly number[]) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0) / Math.max(1, rows.length);

function classWeights(labels: readonly number[], classes: number): number[] {
  const counts = Array.from({ length: classes }, (_, k) => labels.filter((label) => label === k).length);
  const present = counts.filter((n) => n > 0).length;
  return counts.map((n) => (n > 0 ? labels.length / (present * n) : 0));
}

/** Power iteration on the features' second moments, with a little added since it comes from below. */
function largestEigenvalue(rows: readonly Float64Array[], width: number): number {
  let vector = new Float64Array(width).fill(1 / Math.sqrt(width));
  let size = 1;
  for (let round = 0; round < 30; round++) {
    const next = new Float64Array(width);
    for (const row of rows) {
      let dot = 0;
      for (let j = 0; j < width; j++) dot += ((row[j] as number) * (vector[j] as number)) / rows.length;
      for (let j = 0; j < width; j++) next[j] = (next[j] as number) + dot * (row[j] as number);
    }
    size = Math.hypot(...next);
    if (size === 0) return 1;
    vector = next.map((x) => x / size);
  }
  // Class weights can raise the loss of a sample; four classes weighted alike raise the bound by less than this.
  return size * 4;
}
