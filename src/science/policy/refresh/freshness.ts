/**
 * Visit frequencies that keep a collection freshest, and the rate estimate they rest on.
 *
 * J. Cho, H. Garcia-Molina: Effective page refresh policies for web crawlers. ACM TODS 28(4), 2003.
 * J. Cho, H. Garcia-Molina: Estimating frequency of change. ACM TOIT 3(3), 2003.
 *
 *   λ_i   changes per hour          → rates
 *   f_i   visits per hour           → the result
 *   X̄, n  visits that found nothing new, visits
 *
 * Freshness of a page: (f/λ)·(1 − e^{−λ/f}). Maximise the sum under Σf = budget, f ≤ 1 visit a tick: at the optimum every
 * visited page has the same marginal freshness (1 − (1 + x)e^{−x})/λ, x = λ/f; pages for which even the first
 * visit is worth less are given up.
 *
 * The same sum is Def. 4 of the completeness paper for constant rates and equal importance: this rival is the optimum
 * of the per-page objective without patterns.
 */

/** −ln((X̄ + 0.5)/(n + 0.5)) per visit interval. */
export const choRate = (unchanged: number, visits: number): number =>
  Math.log((visits + 0.5) / (unchanged + 0.5));

/** x for which 1 − (1 + x)e^{−x} = y, 0 ≤ y < 1. */
export function inverseMarginal(y: number): number {
  if (!(y > 0)) return 0;
  // Newton's method, started on the correct side; the function is increasing, concave for x > 1.
  let x = y < 0.26 ? Math.sqrt(2 * y) * (1 + Math.sqrt(2 * y) / 3) : -Math.log1p(-y) + 1;
  for (let round = 0; round < 30; round++) {
    const left = Math.exp(-x);
    const error = 1 - (1 + x) * left - y;
    const next = x - error / Math.max(1e-300, x * left);
    if (!(next > 0)) return x / 2;
    if (Math.abs(next - x) < 1e-10 * x) return next;
    x = next;
  }
  return x;
}

/** Changes per hour below which a page counts as never changing. */
const NEVER = 1e-9;
/** Bisection steps over the range of prices, in logarithms: prices are then precise to a relative 1e-6. */
const HALVINGS = 26;

/** Visits per hour for each page. @param budget total visits per hour; @param limit visits per hour of one page */
export function freshnessOptimum(rates: ArrayLike<number>, budget: number, limit = 1): Float64Array {
  const size = rates.length;
  if (!(budget > 0) || size === 0) return new Float64Array(size);
  if (budget >= limit * size) return new Float64Array(size).fill(limit);
  const known = Float64Array.from(rates, (rate) => Math.max(NEVER, rate));
  const at = (price: number): Float64Array =>
    known.map((rate) => (price * rate >= 1 ? 0 : Math.min(limit, rate / inverseMarginal(price * rate))));
  // At the lowest price every page is visited as often as allowed, at the highest none is.
  let low = 1e-12;
  let high = known.reduce((most, rate) => Math.max(most, 1 / rate), 0);
  for (let round = 0; round < HALVINGS; round++) {
    const price = Math.sqrt(low * high);
    if (sum(at(price)) > budget) low = price;
    else high = price;
  }
  // The first few visits to a page are worth nearly the same, so near the price at which it is given up its frequency
  // jumps. Between two optima at one price all mixtures are optimal: the one that spends the budget is taken.
  const [more, less] = [at(low), at(high)];
  const share = (budget - sum(less)) / (sum(more) - sum(less));
  return more.map((often, page) => share * often + (1 - share) * (less[page] as number));
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
