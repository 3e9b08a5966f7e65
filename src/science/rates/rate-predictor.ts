/**
 * Change rates of pages never seen twice: a ridge regression of ln(rate) on `page-features`, trained on the pages
 * of the archive that do have a history.
 *
 * The sums of squares are kept, not the pages: the model is updated by each page as it comes and never trained
 * from scratch. It starts from the shared prior (one change in about 30 days whatever the page) and departs from it as
 * evidence grows. Pages count by how much is known of them: x changes give a variance of about 1/(x + ½) of the
 * logarithm, on top of what features cannot explain.
 *
 * The prediction is the rate of a typical page of its kind: e^{mean of the logarithm} times a factor that makes the
 * predicted rates of the training pages sum to their true ones.
 */
import { featuresOf, type PageTraits } from './page-features.ts';
import { rankCorrelation } from './rank-correlation.ts';
import { solvePositive } from './solve-positive.ts';

export interface PredictorExample {
  readonly facts: PageTraits;
  /** Changes seen. */
  readonly changes: number;
  /** Seconds observed, > 0. */
  readonly time: number;
}

const DAY = 86_400;
/** ln of changes per day. */
const PRIOR_LOG_RATE = Math.log(1 / 30);
const RIDGE = 1;
/** Variance of ln(rate) between pages with the same features. */
const RESIDUAL = 1;

export class RatePredictor {
  readonly #size = featuresOf({ path: '/' }).length;
  readonly #square = new Float64Array(this.#size * this.#size);
  readonly #cross = new Float64Array(this.#size);
  #coefficients: Float64Array | undefined;
  #true = 0;
  #predicted = 0;
  #pages = 0;

  get pages(): number {
    return this.#pages;
  }

  learn(page: PredictorExample): void {
    if (!(page.time > 0) || !(page.changes >= 0)) {
      throw new RangeError(`a page seen for ${page.time} s with ${page.changes} changes teaches nothing`);
    }
    const x = featuresOf(page.facts);
    // Half a change more than seen: so none has a logarithm too, and ranks below one.
    const y = Math.log(((page.changes + 0.5) / page.time) * DAY) - PRIOR_LOG_RATE;
    const weight = 1 / (RESIDUAL + 1 / (page.changes + 0.5));
    for (let i = 0; i < x.length; i++) {
      const xi = weight * (x[i] as number);
      if (xi === 0) continue;
      this.#cross[i] = (this.#cross[i] as number) + xi * y;
      for (let j = 0; j < x.length; j++) {
        const k = i * x.length + j;
        this.#square[k] = (this.#square[k] as number) + xi * (x[j] as number);
      }
    }
    this.#pages++;
    this.#coefficients = undefined;
  }

  /** Makes predictions sum to the truth on these pages; call after training, with the training pages. */
  calibrate(pages: readonly PredictorExample[]): void {
    this.#true = 0;
    this.#predicted = 0;
    for (const { facts, changes, time } of pages) {
      this.#true += changes / time;
      this.#predicted += this.#raw(featuresOf(facts));
    }
  }

  /** Changes per second. */
  predict(facts: PageTraits): number {
    const scale = this.#true > 0 && this.#predicted > 0 ? this.#true / this.#predicted : 1;
    return this.#raw(featuresOf(facts)) * scale;
  }

  #raw(x: Float64Array): number {
    this.#coefficients ??= solveRidge(this.#square, this.#cross, this.#size);
    let sum = PRIOR_LOG_RATE;
    for (let i = 0; i < x.length; i++) sum += (x[i] as number) * (this.#coefficients[i] as number);
    // A linear model can run away outside its data: limited to between 100 a day and one in 30 years.
    return Math.exp(Math.min(Math.max(sum, Math.log(1e-4)), Math.log(100))) / DAY;
  }
}

export function trainPredictor(pages: readonly PredictorExample[]): RatePredictor {
  const predictor = new RatePredictor();
  for (const page of pages) predictor.learn(page);
  predictor.calibrate(pages);
  return predictor;
}

/** (XᵀX + ridge)⁻¹Xᵀy; the ridge keeps it positive definite. */
function solveRidge(square: Float64Array, cross: Float64Array, size: number): Float64Array {
  const ridged = Float64Array.from(square);
  for (let i = 0; i < size; i++) ridged[i * size + i] = (ridged[i * size + i] as number) + RIDGE;
  return solvePositive(ridged, cross);
}

export interface PredictionError {
  readonly pages: number;
  /** Spearman's, between predicted and true rates. */
  readonly rankCorrelation: number;
  /** Mean of |ln((predicted·t + ½)/(changes + ½))|: 0.7 is a factor of two. */
  readonly logError: number;
  /** The same for the best single rate for all pages. */
  readonly logErrorOfConstant: number;
}

/** How well pages that the model has not learnt from are predicted. */
export function evaluatePredictor(
  predictor: RatePredictor,
  heldOut: readonly PredictorExample[],
): PredictionError {
  const predicted = heldOut.map(({ facts }) => predictor.predict(facts));
  const truth = heldOut.map(({ changes, time }) => changes / time);
  const logs = heldOut.map(({ changes, time }) => Math.log((changes + 0.5) / time)).sort((a, b) => a - b);
  const median = logs[Math.floor(logs.length / 2)] ?? 0;
  const mean = (values: readonly number[]): number =>
    values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
  return {
    pages: heldOut.length,
    rankCorrelation: rankCorrelation(predicted, truth),
    logError: mean(
      heldOut.map(({ changes, time }, i) =>
        Math.abs(Math.log(((predicted[i] as number) * time + 0.5) / (changes + 0.5))),
      ),
    ),
    logErrorOfConstant: mean(logs.map((value) => Math.abs(value - median))),
  };
}
