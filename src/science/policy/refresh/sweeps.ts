/**
 * Policies that download a site as a whole, again and again: the order within a sweep differs, but over time every page is
 * visited equally often.
 */
import { organPipeSlot } from '../../sharpness/organ-pipe.ts';
import { type RefreshPolicy, scoredPolicy } from './policy.ts';
import type { RefreshState } from './state.ts';

/** Keys by which a sweep is ordered, lowest first. */
type SweepOrder = (state: RefreshState) => Float64Array;

function sweep(name: string, order: SweepOrder, why: string): RefreshPolicy {
  return scoredPolicy(
    name,
    (state, _now, scores) => {
      const place = placesOf(order(state));
      const done = sweepsOf(state);
      let most = 0;
      for (const count of done) most = Math.max(most, count);
      for (let page = 0; page < state.size; page++) {
        // Fewest sweeps first; within a sweep by its order. Fractions below one keep Float32 exact for millions of pages.
        scores[page] = most - (done[page] as number) + 1 - (place[page] as number) / (state.size + 1);
      }
    },
    (state, page) => `sweep ${(sweepsOf(state)[page] as number) + 1}, ${why}`,
  );
}

/** A page's visits beyond the fewest that any living page has. */
function sweepsOf(state: RefreshState): Uint32Array {
  let fewest = Infinity;
  for (let page = 0; page < state.size; page++) {
    if (state.alive[page] === 1) fewest = Math.min(fewest, state.sweeps[page] as number);
  }
  return state.sweeps.map((count) => Math.max(0, count - fewest));
}

/** Place of each page when sorted by key; equal keys by number. */
function placesOf(keys: Float64Array): Int32Array {
  const pages = Int32Array.from({ length: keys.length }, (_, page) => page);
  pages.sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b);
  const place = new Int32Array(keys.length);
  pages.forEach((page, index) => {
    place[page] = index;
  });
  return place;
}

export const relevance: RefreshPolicy = sweep(
  'relevance',
  (state) => Float64Array.from(state.weight, (weight) => -weight),
  'most important pages first',
);

export const coherence: RefreshPolicy = sweep(
  'coherence',
  (state) => Float64Array.from(state.rate),
  'pages least likely to change first',
);

export const sharcSweep: RefreshPolicy = sweep(
  'sharc-sweep',
  (state) =>
    Float64Array.from(placesOf(Float64Array.from(state.rate)), (rank) => organPipeSlot(rank, state.size)),
  'hottest pages in the middle',
);
