/** A multinomial logistic regression model and its predictions. Training is in src/lab/fit-logistic.ts. */
export interface LogisticModel {
  readonly features: readonly string[];
  /** Each feature is centred and scaled before it is weighed. */
  readonly mean: readonly number[];
  readonly scale: readonly number[];
  /** One row per class: the intercept, then a weight per feature. */
  readonly weights: readonly (readonly number[])[];
}

/** Probabilities of the classes; they add up to 1. */
export function probabilities(model: LogisticModel, row: readonly number[]): number[] {
  const scaled = row.map((value, j) => (value - (model.mean[j] as number)) / (model.scale[j] as number));
  const scores = model.weights.map((weights) =>
    scaled.reduce((sum, value, j) => sum + value * (weights[j + 1] as number), weights[0] as number),
  );
  return softmax(scores);
}

/** The largest score is subtracted first, so that no exponential overflows. */
export function softmax(scores: readonly number[]): number[] {
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}
