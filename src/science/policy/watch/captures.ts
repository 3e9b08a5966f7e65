/**
 * Captures of whole sites. A site never captured is due: nothing is known of its pages. One with a span is due when that has
 * passed; without one, another capture is made when the scale says so: what its pages would bring, and what it is worth that
 * they belong together, per request of the capture.
 *
 *   Σ_p score(p) + κ · Σ_p v(p) · P(sharp) · P(changed since the last capture)
 *
 * P(sharp) = e^{−λ·D/2}: the page does not change between its visit and the middle of a capture of D hours, the pages evenly
 * spread. A site that has not changed since its last capture gains nothing by another.
 */
import type { Millis } from '../../../model/time.ts';
import type { PlannedCapture } from '../../../model/watch.ts';
import { spanWords, worthWords } from '../reason-words.ts';
import { marginalScores } from '../refresh/expected-gain.ts';
import { AVAILABILITY } from '../refresh/state.ts';
import type { WatchState } from './watch-state.ts';

export interface CapturedSite {
  readonly site: string;
  /** Milliseconds between two captures; absent where the scale decides. */
  readonly every?: number;
  readonly lastCapture?: Millis;
  readonly pages: number;
  readonly revisits: number;
  /** Hours that a capture takes; unless given, as long as the budget needs for it. */
  readonly hours?: number;
}

export interface CaptureCandidate {
  readonly planned: PlannedCapture;
  /** Value per request. */
  readonly score: number;
  readonly cost: number;
}

/** Least milliseconds between two unrequested captures: where the budget suffices for all, pages are visited one by one. */
const LEAST_BETWEEN = 86_400_000;

interface Occasion {
  readonly now: Millis;
  readonly sites?: readonly CapturedSite[];
  readonly capturing?: ReadonlySet<string>;
}

const costOf = ({ pages, revisits }: CapturedSite): number => Math.max(1, pages + revisits);

export function dueCaptures(state: WatchState, { now, sites = [], capturing }: Occasion): CaptureCandidate[] {
  const scores = lazyScores(state);
  return sites.flatMap((site) => {
    const { every, lastCapture } = site;
    if (capturing?.has(site.site) || !isOpen(state, site.site)) return [];
    if (lastCapture !== undefined && !(now - lastCapture >= (every ?? Number.POSITIVE_INFINITY))) return [];
    const wanted = every === undefined ? '' : `, wanted every ${spanWords(every)}`;
    const since =
      lastCapture === undefined ? 'never captured whole' : `${spanWords(now - lastCapture)} since the last`;
    const cost = costOf(site);
    const { value } = worthOf(state, site, { scores, together: 0, now });
    return [
      {
        planned: {
          site: site.site,
          value,
          cost,
          reason: `capture: ${since}${wanted}`,
        },
        score: value / cost,
        cost,
      },
    ];
  });
}

/** Sites without a span that are worth the price; none while the bank could not pay for it. */
export function worthyCaptures(
  state: WatchState,
  together: number,
  price: number,
  { now, sites = [], capturing }: Occasion,
): CaptureCandidate[] {
  const scores = lazyScores(state);
  return sites.flatMap((site) => {
    const cost = costOf(site);
    if (
      site.every !== undefined ||
      site.lastCapture === undefined ||
      capturing?.has(site.site) ||
      !isOpen(state, site.site)
    )
      return [];
    if (cost > state.bank.balance || now - site.lastCapture < LEAST_BETWEEN) return [];
    const { value, alone } = worthOf(state, site, { scores, together, now });
    const score = value / cost;
    if (!(score >= price)) return [];
    const reason =
      `capture: its pages are worth ${worthWords(alone)}, with what belonging together is worth ` +
      `${worthWords(value)}, ${cost} requests at a price of ${worthWords(price)}`;
    return [{ planned: { site: site.site, value, cost, reason }, score, cost }];
  });
}

/** A site is closed if all its pages rest. */
function isOpen({ refresh, book }: WatchState, site: string): boolean {
  for (const page of book.pagesOf(site)) if (refresh.alive[page] === AVAILABILITY.open) return true;
  return false;
}

/** One pass over all pages, and only if some site needs it. */
function lazyScores({ refresh }: WatchState): () => Float32Array {
  let known: Float32Array | undefined;
  return () => {
    if (!known) {
      known = new Float32Array(refresh.size);
      marginalScores(refresh, refresh.now, known);
    }
    return known;
  };
}

function worthOf(
  { refresh, book, missing }: WatchState,
  site: CapturedSite,
  {
    scores,
    together,
    now,
  }: { readonly scores: () => Float32Array; readonly together: number; readonly now: Millis },
): { readonly value: number; readonly alone: number } {
  const score = scores();
  const hours = site.hours ?? costOf(site) / Math.max(1, refresh.pace);
  const since =
    site.lastCapture === undefined ? Number.POSITIVE_INFINITY : (now - site.lastCapture) / 3_600_000;
  let alone = 0;
  let sharp = 0;
  for (const page of book.pagesOf(site.site)) {
    const isThere = refresh.alive[page] !== AVAILABILITY.gone && !missing.has(page);
    if (!isThere || book.suspects.has(page)) continue;
    const cost = refresh.cost[page] as number;
    const rate = refresh.rate[page] as number;
    alone += (score[page] as number) * cost;
    sharp +=
      (refresh.value[page] as number) * cost * Math.exp((-rate * hours) / 2) * -Math.expm1(-rate * since);
  }
  return { value: alone + together * sharp, alone };
}
