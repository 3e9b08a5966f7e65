/**
 * `expected-gain`: visit where a capture adds most that would be lost otherwise.
 *
 * Each version counts once, if captured before it is overwritten. With g the expected weight of the live version that
 * is not captured yet, a capture at t, after one at s and before one at t', is worth g·(1 − e^{−Λ(t,t')}): what is
 * there × the chance that it would be lost. The next visit is not known when this one is decided. Two closed forms:
 *
 *   `symmetric`  g·(1 − e^{−Λ(s,t)})                      the next gap taken as long as the last
 *   `marginal`   g·(1 − Λe^{−Λ}/(1 − e^{−Λ})), Λ = Λ(s,t)  the price at which a visit now and one a moment later are
 *                worth the same in a steady rhythm: R − τR' for R(τ) = v(1 − e^{−λτ}). For constant rates this is
 *                Cho's freshness optimum as an index (each page's gap solves the same price), so patterns are all
 *                that is added to it, never lost against it.
 *
 * `marginal` is the default: `symmetric` overrates visits soon after the last (by 2 for small Λ, by 1 for large). On the
 * German news of 2022 (60 days of training, 60 of test) they gave 0.188, 0.375, 0.618 and 0.181, 0.372, 0.613 at 2, 10, 30%.
 */
import { hoursSince, type RefreshPolicy, scoredPolicy } from './policy.ts';
import type { RefreshState } from './state.ts';

export type GainIndex = 'marginal' | 'symmetric';

export function expectedGain(index: GainIndex = 'marginal'): RefreshPolicy {
  return scoredPolicy(
    index === 'marginal' ? 'expected-gain' : 'expected-gain-symmetric',
    index === 'marginal' ? marginalScores : symmetricScores,
    (state, page, score) =>
      `worth ${score.toPrecision(3)}, ${percent(1 - (state.survival[page] as number))} likely to have changed in ` +
      `${hoursSince(state, page).toFixed(1)} h`,
  );
}

export function marginalScores(state: RefreshState, _now: number, scores: Float32Array): void {
  const { size, value, gain, expected, survival } = state;
  for (let page = 0; page < size; page++) {
    const changes = expected[page] as number;
    const stays = survival[page] as number;
    // Below 0.01 the closed form loses its digits to cancellation; its series is Λ/2.
    const lost = changes < 0.01 ? changes / 2 : 1 - (changes * stays) / (1 - stays);
    scores[page] = (value[page] as number) * (gain[page] as number) * lost;
  }
}

function symmetricScores(state: RefreshState, _now: number, scores: Float32Array): void {
  const { size, value, gain, survival } = state;
  for (let page = 0; page < size; page++) {
    scores[page] = (value[page] as number) * (gain[page] as number) * (1 - (survival[page] as number));
  }
}

export const percent = (share: number): string => `${(100 * share).toFixed(0)}%`;
