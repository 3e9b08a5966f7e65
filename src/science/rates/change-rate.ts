/**
 * Change rates from what visits saw: only whether a page had changed since the previous visit, not how often.
 *
 * Cho, Garcia-Molina: Estimating frequency of change. ACM TOIT 3(3), 2003. Changes are assumed to be Poisson with
 * rate λ, so that a page is seen unchanged after a time t with probability e^{−λt}.
 *
 * - Regular visits: the bias-reduced estimator λ̂ = −ln((N − X + ½)/(N + ½))/I, N intervals of length I, X of them
 *   with a change. Unlike the likelihood it stays finite when every visit saw a change.
 * - Irregular visits: the maximum of the likelihood, Σ_changed t/(e^{λt} − 1) = Σ_unchanged t. The left side falls
 *   with λ, so the root is found by bracketing. The confidence interval is that of the likelihood ratio.
 *
 * Departures: if every visit saw a change there is no finite maximum; if none did, it is 0. Both get half a change less or
 * more than seen, as in the bias-reduced estimator: a page never seen to change is not one that never will.
 */
export interface VisitGap {
  /** Time since the previous visit, > 0. */
  readonly gap: number;
  readonly changed: boolean;
}

export interface RateEstimate {
  /** Changes per unit of time. */
  readonly rate: number;
  /** Confidence interval. */
  readonly low: number;
  readonly high: number;
  /** Number of gaps it rests on. */
  readonly gaps: number;
  readonly changes: number;
}

export class RateInputError extends RangeError {
  override readonly name = 'RateInputError';
}

/** Bias-reduced estimate for visits every `interval`. */
export function regularRate(gaps: number, changes: number, interval: number): number {
  if (!(interval > 0)) throw new RateInputError(`the interval between visits must be > 0, not ${interval}`);
  if (!(gaps >= 0) || !(changes >= 0) || changes > gaps) {
    throw new RateInputError(`${changes} changes cannot be seen in ${gaps} intervals`);
  }
  return Math.log((gaps + 0.5) / (gaps - changes + 0.5)) / interval;
}

/** 95% of the χ² distribution with one degree of freedom: twice the log-likelihood ratio at the ends. */
const CHI_SQUARE_95 = 3.841458820694124;

/** Log-likelihood; gaps of the same length may be given once, with counts. */
export function logLikelihood(visits: readonly VisitGap[], rate: number): number {
  let sum = 0;
  for (const { gap, changed } of visits) sum += changed ? Math.log(-Math.expm1(-rate * gap)) : -rate * gap;
  return sum;
}

/** Its derivative: Σ_changed t/(e^{λt} − 1) − Σ_unchanged t. */
export function score(visits: readonly VisitGap[], rate: number): number {
  let sum = 0;
  for (const { gap, changed } of visits) sum += changed ? gap / Math.expm1(rate * gap) : -gap;
  return sum;
}

/** Maximum likelihood for visits at any times, with its 95% confidence interval. No visits: rate 0, no upper bound. */
export function irregularRate(visits: readonly VisitGap[]): RateEstimate {
  let total = 0;
  let changes = 0;
  for (const { gap, changed } of visits) {
    if (!(gap > 0) || !Number.isFinite(gap))
      throw new RateInputError(`a gap between visits must be > 0, not ${gap}`);
    total += gap;
    if (changed) changes++;
  }
  const counts = { gaps: visits.length, changes };
  if (visits.length === 0) return { rate: 0, low: 0, high: Number.POSITIVE_INFINITY, ...counts };
  if (changes === 0) {
    const rate = regularRate(visits.length, 0.5, total / visits.length);
    return { rate: Math.min(rate, 0.5 / total), low: 0, high: CHI_SQUARE_95 / 2 / total, ...counts };
  }
  if (changes === visits.length) {
    const rate = regularRate(visits.length, visits.length, total / visits.length);
    const enough = (r: number): number => -2 * logLikelihood(visits, r) - CHI_SQUARE_95;
    return { rate, low: root(enough, 0, rate), high: Number.POSITIVE_INFINITY, ...counts };
  }
  // The root lies below the rate at which every gap would be expected to have many changes.
  const rate = root((r) => score(visits, r), 0, changes / total);
  const top = logLikelihood(visits, rate);
  const inside = (r: number): number => 2 * (top - logLikelihood(visits, r)) - CHI_SQUARE_95;
  return { rate, low: root(inside, 0, rate), high: root((r) => -inside(r), rate, 2 * rate), ...counts };
}

/**
 * Zero of a decreasing function on (low, ∞): `high` is doubled until it is past the zero, then bisection.
 */
function root(falling: (x: number) => number, low: number, high: number): number {
  let a = low;
  let b = high;
  for (let k = 0; k < 200 && falling(b) > 0; k++) {
    a = b;
    b *= 2;
  }
  for (let k = 0; k < 200; k++) {
    const middle = (a + b) / 2;
    if (middle <= a || middle >= b) break;
    if (falling(middle) > 0) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}
