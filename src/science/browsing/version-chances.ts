/**
 * Which of the two captures around a moment shows what was there at that moment, and the chance that neither does.
 *
 * Model: the page changes as a Poisson process under its own hourly pattern, at a pace that is not quite known: the pattern
 * times a factor of mean 1 that is drawn once for the gap (gamma, shape k). Without the factor a lively page whose two captures are
 * equal would have to be assumed to have changed and come back; with it, the gap was a quiet one.
 *
 *   b, a   times of the captures before and after t       Λ(x, y)  changes expected from x to y
 *   φ(Λ)   chance of no change: (1 + Λ/k)^−k, e^−Λ for k → ∞
 *   D      the captures differ: at least one change lies between, 1 − φ(Λ(b,a))
 *
 *   P(before | D)  = (φ(Λ(b,t)) − φ(Λ(b,a))) / (1 − φ(Λ(b,a)))     none up to t, one after
 *   P(after | D)   = (φ(Λ(t,a)) − φ(Λ(b,a))) / (1 − φ(Λ(b,a)))     one up to t, none after
 *   P(neither | D) = the rest                                      one on both sides
 *
 * So the likelier one is that with fewer changes expected on the way, whatever k; with one constant rate that is the
 * closest. Evidence that dates changes replaces the condition: a dated change up to t rules `before` out, one after t
 * rules `after` out; where nothing changed, nothing is expected.
 *
 * Equal captures: that version, unless the page went away and came back: at least two changes, and the same content again.
 *
 * Cost: two sums over the hours of the gap.
 */
import type { Seconds } from '../../model/time.ts';
import type { ChangesBetween } from './expected-changes.ts';

/** Evidence that dates a change: it happened then, or nothing happened meanwhile. */
export type DatedEvidence =
  | { readonly kind: 'changed'; readonly at: Seconds }
  | { readonly kind: 'unchanged'; readonly from: Seconds; readonly to: Seconds };

export interface ChoiceCase {
  readonly at: Seconds;
  /** Times of the captures; at least one is given. */
  readonly before?: Seconds;
  readonly after?: Seconds;
  /** Whether both show the same. */
  readonly areEqual: boolean;
  readonly expected: ChangesBetween;
  readonly evidence?: readonly DatedEvidence[];
  /** How likely the other evidence would be if `before`, or `after`, were the right one; 1 and 1 unless given. */
  readonly likelihood?: { readonly before: number; readonly after: number };
}

export interface Chances {
  readonly before: number;
  readonly after: number;
  /** Neither `before` nor `after`. If these are equal, not that version: both chances are then the same one. */
  readonly neither: number;
}

export const BROWSING = {
  /** k: from 0.1 to ∞, the best log score over three teletext sites and four gaps (docs/time-travel.md); 0.5 is next to it. */
  shape: 0.25,
  /** Chance that a page which changed at least twice shows the old content again at the end. */
  returning: 0.05,
  /** Chance that a date is right: servers and feeds also report files that were merely touched. */
  trust: 0.95,
} as const;

const noChange = (expected: number, shape: number): number =>
  Number.isFinite(shape) ? (1 + expected / shape) ** -shape : Math.exp(-expected);

/** @param shape k; greater is surer of the pattern's pace. */
export function versionChances(given: ChoiceCase, shape: number = BROWSING.shape): Chances {
  const plain = weighed(withoutDates(given, shape), given);
  const dates = (given.evidence ?? []).filter((one) => isBetween(one, given));
  if (dates.length === 0 || given.areEqual) return plain;
  const dated = weighed(withDates(given, dates, shape), given);
  const mix = (name: keyof Chances): number =>
    BROWSING.trust * dated[name] + (1 - BROWSING.trust) * plain[name];
  return { before: mix('before'), after: mix('after'), neither: mix('neither') };
}

function withoutDates({ at, before, after, areEqual, expected }: ChoiceCase, shape: number): Chances {
  if (before === undefined || after === undefined) {
    const stays = noChange(before === undefined ? expected(at, after ?? at) : expected(before, at), shape);
    return {
      before: before === undefined ? 0 : stays,
      after: after === undefined ? 0 : stays,
      neither: 1 - stays,
    };
  }
  const [early, late] = [expected(before, at), expected(at, after)];
  const none = noChange(early + late, shape);
  if (areEqual) {
    const once = oneChange(early + late, shape);
    const wrong = BROWSING.returning * Math.max(0, 1 - none - once);
    const stays = none + wrong > 0 ? none / (none + wrong) : 0.5;
    return { before: stays, after: stays, neither: 1 - stays };
  }
  const some = 1 - none;
  // Nothing at all was expected, and yet it happened: nobody knows when.
  if (!(some > 1e-12)) return byDistance(at, before, after);
  const onlyLate = (noChange(early, shape) - none) / some;
  const onlyEarly = (noChange(late, shape) - none) / some;
  return { before: onlyLate, after: onlyEarly, neither: Math.max(0, 1 - onlyLate - onlyEarly) };
}

/** P(N = 1) under the mixture. */
function oneChange(expected: number, shape: number): number {
  if (!Number.isFinite(shape)) return expected * Math.exp(-expected);
  return expected * (1 + expected / shape) ** (-shape - 1);
}

function byDistance(at: Seconds, before: Seconds, after: Seconds): Chances {
  const share = after > before ? (at - before) / (after - before) : 0;
  return { before: 1 - share, after: share, neither: 0 };
}

function withDates(
  { at, before = -Infinity, after = Infinity, expected }: ChoiceCase,
  dates: readonly DatedEvidence[],
  shape: number,
): Chances {
  const changes = dates.flatMap((one) => (one.kind === 'changed' ? [one.at] : []));
  const still = dates.filter((one) => one.kind === 'unchanged');
  const open = (from: Seconds, to: Seconds): number =>
    still.reduce(
      (sum, { from: least, to: most }) =>
        sum - expected(Math.max(from, least), Math.max(Math.max(from, least), Math.min(to, most))),
      expected(from, to),
    );
  const early = Number.isFinite(before) ? Math.max(0, open(before, at)) : 0;
  const late = Number.isFinite(after) ? Math.max(0, open(at, after)) : 0;
  const isEarly = changes.some((time) => time <= at);
  const isLate = changes.some((time) => time > at);
  const stays = { before: noChange(early, shape), after: noChange(late, shape) };
  if (isEarly && isLate) return { before: 0, after: 0, neither: 1 };
  if (isEarly) return { before: 0, after: stays.after, neither: 1 - stays.after };
  if (isLate) return { before: stays.before, after: 0, neither: 1 - stays.before };
  const none = noChange(early + late, shape);
  const some = 1 - none;
  if (!(some > 1e-12)) return withoutDates({ at, before, after, areEqual: false, expected }, shape);
  const [one, other] = [(stays.before - none) / some, (stays.after - none) / some];
  return { before: one, after: other, neither: Math.max(0, 1 - one - other) };
}

function isBetween(one: DatedEvidence, { before = -Infinity, after = Infinity }: ChoiceCase): boolean {
  return one.kind === 'changed' ? one.at > before && one.at <= after : one.to > before && one.from < after;
}

/** Bayes' rule; nothing is known of what neither shows, so it keeps the mean of both. */
function weighed(chances: Chances, { likelihood, areEqual }: ChoiceCase): Chances {
  if (!likelihood || areEqual) return chances;
  const before = chances.before * likelihood.before;
  const after = chances.after * likelihood.after;
  const neither = chances.neither * ((likelihood.before + likelihood.after) / 2);
  const sum = before + after + neither;
  return sum > 0 ? { before: before / sum, after: after / sum, neither: neither / sum } : chances;
}

/** The likelier of the two; on a tie the earlier, as with `closest`. */
export const likelier = ({ before, after }: Chances): 'before' | 'after' =>
  after > before ? 'after' : 'before';
