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
  // Newton from a start on the right side; the function is increasing, concave for x > 1.
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

/** Visits per hour for each page. @param budget visits per hour in all; @param limit visits per hour of one page */
export function freshnessOptimum(rates: ArrayLike<number>, budget: number, limit = 1): Float64Array {
  const frequency = new Float64Array(rates.length);
  if (!(budget > 0) || rates.length === 0) return frequency;
  if (budget >= limit * rates.length) return frequency.fill(limit);
  let low = 1e-12;
  let high = 0;
  for (let i = 0; i < rates.length; i++) high = Math.max(high, 1 / Math.max(1e-9, rates[i] as number));
  for (let round = 0; round < 60; round++) {
    const price = Math.sqrt(low * high);
    let total = 0;
    for (let i = 0; i < rates.length; i++) {
      const rate = Math.max(1e-9, rates[i] as number);
      const worth = price * rate;
      frequency[i] = worth >= 1 ? 0 : Math.min(limit, rate / inverseMarginal(worth));
      total += frequency[i] as number;
    }
    if (Math.abs(total - budget) < 1e-6 * budget) break;
    if (total > budget) low = price;
    else high = price;
  }
  return spendRest(frequency, rates, budget, limit);
}

/**
 * The first visits to a page are all worth nearly the same, so near the price at which it is given up its frequency jumps
 * further than a double can tell prices apart: what the search leaves over goes to the pages next in line, and what it
 * overspends is taken from those last in line.
 */
function spendRest(
  frequency: Float64Array,
  rates: ArrayLike<number>,
  budget: number,
  limit: number,
): Float64Array {
  let rest = budget - frequency.reduce((sum, value) => sum + value, 0);
  const order = Array.from(frequency.keys()).sort((a, b) => (rates[a] as number) - (rates[b] as number));
  for (const page of rest > 0 ? order : order.reverse()) {
    const own = frequency[page] as number;
    if (rest > 0 && own > 0) continue;
    const change = rest > 0 ? Math.min(rest, limit - own) : Math.max(rest, -own);
    frequency[page] = own + change;
    rest -= change;
  }
  return frequency;
}
