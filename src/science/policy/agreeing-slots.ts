/**
 * Which page takes which slot of a pass, where some pages must agree (find-groups.ts; ours, a wish of SHARC 2009, §9).
 *
 * The archived versions of pages a and b agree if what they share did not change between their two requests, which are
 * |t_a − t_b| apart. Maximises
 *
 *   Σ_pages own(page, slot) + γ·Σ_pairs e^{−μ_ab·|t_a − t_b|},  γ = pages ÷ pairs.
 *
 * μ_ab is how often what they share changes, as far as known: at least as often as the quieter of the two, and, for an index of k
 * pages that changes λ times, λ/k times for each of them (k at least `REFERRED_TO`: fewer pages make no index). The second term is what tells a young article from an old one: pages
 * seen only a few times have rates that hardly differ, but today's articles are on the front page.
 *
 * `own` is what the slot is worth to the page by itself (the chance to be sharp, less the weight of its blur): all pairs together
 * weigh as much as all pages.
 *
 * A quadratic assignment problem (NP-hard). It is climbed by linear ones: pages that many others refer to move towards those,
 * then the others move to where these have gone, and so on; each time all slots are assigned anew, exactly. The best round
 * counts, the one without any pairs included, so the result is never worse than that. Moving all pages at once was tried first:
 * an index and its articles then swap places, round after round.
 */
import { assign, type RowValues } from '../sharpness/assignment.ts';
import { orderByRate } from '../sharpness/rate-order.ts';

export interface AgreeingPages {
  /** Changes per unit of time. */
  readonly rates: Float64Array;
  readonly pairs: readonly (readonly [number, number])[];
  /** Time from one slot to the next. */
  readonly delay: number;
}

/** Largest number of pages for which this is tried: several rounds of assignments, each taking seconds. */
export const AGREE_UP_TO = 2_000;
/** Pages with at least this many pairs move first. */
const REFERRED_TO = 4;
const ROUNDS = 4;

/** @returns the slot of each page */
export function agreeingSlots({ rates, pairs, delay }: AgreeingPages, own: RowValues): Int32Array {
  const size = rates.length;
  const byRate = orderByRate(rates);
  let slots = assign(size, own, byRate).columns;
  if (pairs.length === 0) return slots;
  const weight = size / pairs.length;
  const partners = partnersOf(size, pairs);
  const isHead = partners.map((list) => list.length >= REFERRED_TO);
  const shareOf = (page: number): number =>
    (rates[page] as number) / Math.max(REFERRED_TO, (partners[page] as number[]).length);
  const near = (a: number, b: number, apart: number): number => {
    const quieter = Math.min(rates[a] as number, rates[b] as number);
    return weight * Math.exp(-Math.max(quieter, shareOf(a), shareOf(b)) * apart * delay);
  };

  /** Total value of these slots. */
  function worth(of: Int32Array): number {
    const one = new Float64Array(1);
    let sum = 0;
    of.forEach((slot, page) => {
      own(page, slot, 1, one);
      sum += one[0] as number;
    });
    for (const [a, b] of pairs) sum += near(a, b, Math.abs((of[a] as number) - (of[b] as number)));
    return sum;
  }

  /** Value of slots to a page whose partners stay where they are. */
  function drawn(moves: (page: number) => boolean, at: Int32Array): RowValues {
    return (page, from, step, out) => {
      own(page, from, step, out);
      if (!moves(page)) return;
      for (const partner of partners[page] as number[]) {
        const slot = at[partner] as number;
        for (let j = 0; j < out.length; j++)
          out[j] = (out[j] as number) + near(page, partner, Math.abs(from + j * step - slot));
      }
    };
  }

  let best = { slots, worth: worth(slots) };
  for (let round = 0; round < ROUNDS; round++) {
    const headsAlone = round % 2 === 0;
    slots = assign(
      size,
      drawn((page) => !headsAlone || (isHead[page] as boolean), slots),
      byRate,
    ).columns;
    const reached = worth(slots);
    if (reached > best.worth) best = { slots, worth: reached };
  }
  return best.slots;
}

function partnersOf(size: number, pairs: AgreeingPages['pairs']): readonly number[][] {
  const partners = Array.from({ length: size }, (): number[] => []);
  for (const [a, b] of pairs) {
    partners[a]?.push(b);
    partners[b]?.push(a);
  }
  return partners;
}
