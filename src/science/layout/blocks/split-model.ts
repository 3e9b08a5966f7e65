/** A logistic model of "this part is several blocks" over the features of a part. */
import { FEATURES, type Feature } from './features.ts';

export interface SplitModel {
  readonly intercept: number;
  /** Missing features have weight 0. */
  readonly weights: Readonly<Partial<Record<Feature, number>>>;
}

/** Log-odds that each part is split, given the rows of `featuresOf`. */
export function splitLogOdds(rows: Float64Array, model: SplitModel): Float64Array {
  const n = FEATURES.length;
  const weights = FEATURES.map((name) => model.weights[name] ?? 0);
  const odds = new Float64Array(rows.length / n);
  for (let index = 0; index < odds.length; index++) {
    let sum = model.intercept;
    for (let f = 0; f < n; f++) sum += (weights[f] as number) * (rows[index * n + f] as number);
    odds[index] = sum;
  }
  return odds;
}
