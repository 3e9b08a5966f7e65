/**
 * `expected-gain`: visit where a capture adds most that would otherwise be lost.
 *
 * Each version counts once, if captured before it is overwritten. With g the expected weight of the live version that
 * is not captured yet, a capture at t, after one at s and before one at t', is worth g·(1 − e^{−Λ(t,t')}): what is
 * there × the chance that it would be lost. The next visit is not known when this one is decided. Two closed forms:
 *
 *   `symmetric`  g·(1 − e^{−Λ(s,t)})                      assumes that the next gap is as long as the last
 *   `marginal`   g·(1 − Λe^{−Λ}/(1 − e^{−Λ})), Λ = Λ(s,t)  the price at which a visit now and one a moment later are
 *                worth the same in a steady rhythm: R − τR' for R(τ) = v(1 − e^{−λτ}). For constant rates this is
 *                Cho's freshness optimum as an index (each page's gap solves the same price), so patterns are the only
 *                thing added to it, and nothing is lost against it.
 *
 * `marginal` is the default: `symmetric` overrates visits soon after the last (by 2 for small Λ, by 1 for large). On the
 * German news of 2022 (60 days of training, 60 of test) they gave 0.188, 0.375, 0.618 and 0.181, 0.372, 0.613 at 2, 10, 30%.
 */
import { spanWords, worthWords } from '../reason-words.ts';
import { type Finders, findingWorth } from './finders.ts';
import { bestPages, hoursSince, type Reason, type RefreshPolicy, scoredPolicy } from './policy.ts';
import { patternHours, type RefreshState } from './state.ts';
import { steadyPrice } from './steady-price.ts';
import { changesUntil, type ToldPages } from './told-pages.ts';

export type GainIndex = 'marginal' | 'symmetric';

export function expectedGain(index: GainIndex = 'marginal'): RefreshPolicy {
  if (index === 'symmetric') return scoredPolicy('expected-gain-symmetric', symmetricScores, worth);
  const policy = scoredPolicy('expected-gain', marginalScores, worth);
  return {
    ...policy,
    // The marginal form is by definition a price; the symmetric one is not.
    priced: {
      startingPrice: steadyPrice,
      rankAt: (state, { price, room }) => {
        const scores = new Float32Array(state.size);
        marginalScores(state, state.now, scores);
        for (let page = 0; page < state.size; page++) if ((scores[page] as number) < price) scores[page] = -1;
        return bestPages(
          state,
          scores,
          room,
          (page) =>
            `${policy.name}: ${worth(state, page, scores[page] as number)}, at a price of ${worthWords(price)}`,
        );
      },
    },
  };
}

const HOUR = 3_600_000;

const worth: Reason = (state, page, score) =>
  `worth ${worthWords(score)}, ${percent(1 - (state.survival[page] as number))} likely to have changed in ` +
  spanWords(hoursSince(state, page) * HOUR);

export function marginalScores(state: RefreshState, _now: number, scores: Float32Array): void {
  const { size, value, gain, expected, survival } = state;
  for (let page = 0; page < size; page++) {
    const changes = expected[page] as number;
    const stays = survival[page] as number;
    // Below 0.01 the closed form loses its digits to cancellation; its series is Λ/2.
    const lost = changes < 0.01 ? changes / 2 : 1 - (changes * stays) / (1 - stays);
    scores[page] = (value[page] as number) * (gain[page] as number) * lost;
  }
  if (state.told) toldScores(state, state.told, scores);
  if (state.finders) addFinds(state, state.finders, scores);
}

/** Time counts by the page's pattern: at night a front page shows nothing new. */
function addFinds(state: RefreshState, finders: Finders, scores: Float32Array): void {
  for (const page of finders.byPage.keys()) {
    const worth = findingWorth(finders, page, patternHours(state, page)) / (state.cost[page] as number);
    scores[page] = (scores[page] as number) + worth;
  }
}

/** For pages that signals tell of, the closed form's steady rhythm is one of doubt, not of time (told-pages.ts). */
function toldScores(
  { size, value, gain, expected, survival }: RefreshState,
  told: ToldPages,
  scores: Float32Array,
): void {
  for (let page = 0; page < size; page++) {
    const recall = told.recall[page] as number;
    const doubt = expected[page] as number;
    if (!(recall > 0) || doubt < 0.01) continue;
    const stays = survival[page] as number;
    const until = changesUntil(doubt, recall, told.precision[page] as number);
    const lost = 1 - (until * stays) / (1 - stays);
    scores[page] = (value[page] as number) * (gain[page] as number) * Math.max(0, lost);
  }
}

function symmetricScores(state: RefreshState, _now: number, scores: Float32Array): void {
  const { size, value, gain, survival } = state;
  for (let page = 0; page < size; page++) {
    scores[page] = (value[page] as number) * (gain[page] as number) * (1 - (survival[page] as number));
  }
}

export const percent = (share: number): string => `${(100 * share).toFixed(0)}%`;
