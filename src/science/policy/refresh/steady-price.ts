/**
 * The price at which a steady rhythm spends the pace. A visit to a page of constant rate is worth v·(1 − (1 + x)e^{−x}) after
 * x expected changes, so at a price c it is visited every x/λ hours, x from 1 − (1 + x)e^{−x} = c/v, and never if c ≥ v.
 */
import { inverseMarginal } from './freshness.ts';
import type { RefreshState } from './state.ts';

/** Bisection steps over the range of prices, in logarithms: more than any steering needs. */
const HALVINGS = 40;
/** At least this many pages are sampled, evenly spaced, where there are more: a price needs no more, and is computed every round. */
const SAMPLE = 2048;

export function steadyPrice(state: RefreshState): number {
  let dearest = 0;
  for (let page = 0; page < state.size; page++)
    if (state.alive[page] === 1) dearest = Math.max(dearest, state.value[page] as number);
  if (!(dearest > 0)) return Number.MIN_VALUE;
  const stride = Math.max(1, Math.floor(state.size / SAMPLE));
  let low = dearest * 1e-12;
  let high = dearest;
  for (let round = 0; round < HALVINGS; round++) {
    const price = Math.sqrt(low * high);
    if (spendingAt(state, price, stride) * stride > state.pace) low = price;
    else high = price;
  }
  return Math.sqrt(low * high);
}

/** Requests per hour. */
function spendingAt(state: RefreshState, price: number, stride: number): number {
  let requests = 0;
  for (let page = 0; page < state.size; page += stride) {
    const value = state.value[page] as number;
    if (state.alive[page] !== 1 || price >= value) continue;
    const often = Math.min(1 / state.round, (state.rate[page] as number) / inverseMarginal(price / value));
    requests += often * (state.cost[page] as number);
  }
  return requests;
}
