/**
 * PageRank (Brin and Page 1998), the reference that on-line importance is measured against: a reader follows links, and
 * with chance 1 − damping, or where a page has none, goes to any page.
 *
 * | | here |
 * | --- | --- |
 * | d | `damping` |
 * | where a jump leads | `relevance`, all pages equally unless given: importance is then that of a perimeter (French web 2002, § 3) |
 *
 * Power iteration over the rows of the graph; the error shrinks by the damping with each round. Cost: links × rounds.
 */
import type { LinkGraph } from './link-graph.ts';

export const DAMPING = 0.85;

/** L1 distance between two rounds below which the next would change nothing that a rank depends on. */
const TOLERANCE = 1e-10;
const MAX_ROUNDS = 200;

export interface PageRankOptions {
  readonly damping?: number;
  readonly relevance?: ArrayLike<number>;
  /** L1 distance between two rounds at which it ends; 1e-10 unless given. */
  readonly tolerance?: number;
  /** Called after each round with its number, from 1, and how far it moved. */
  readonly onRound?: (round: number, moved: number) => void;
}

/** One value per page; they sum to 1. */
export function pageRank(graph: LinkGraph, options: PageRankOptions = {}): Float64Array {
  const { damping = DAMPING, tolerance = TOLERANCE, onRound } = options;
  const { pages } = graph;
  const jump = jumpShares(pages, options.relevance);
  let now = Float64Array.from(jump);
  let next = new Float64Array(pages);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    oneRound(graph, now, next, { damping, jump });
    let moved = 0;
    for (let page = 0; page < pages; page++)
      moved += Math.abs((next[page] as number) - (now[page] as number));
    [now, next] = [next, now];
    onRound?.(round + 1, moved);
    if (moved < tolerance) break;
  }
  return now;
}

function oneRound(
  { pages, offsets, targets }: LinkGraph,
  now: Float64Array,
  next: Float64Array,
  { damping, jump }: { readonly damping: number; readonly jump: Float64Array },
): void {
  next.fill(0);
  let followed = 0;
  for (let page = 0; page < pages; page++) {
    const [start, end] = [offsets[page] as number, offsets[page + 1] as number];
    if (start === end) continue;
    const passedOn = damping * (now[page] as number);
    followed += passedOn;
    const share = passedOn / (end - start);
    for (let k = start; k < end; k++) {
      const target = targets[k] as number;
      next[target] = (next[target] as number) + share;
    }
  }
  // Everything not passed on along links jumps; this also absorbs what rounding loses.
  const jumping = 1 - followed;
  for (let page = 0; page < pages; page++)
    next[page] = (next[page] as number) + jumping * (jump[page] as number);
}

/** Shares that sum to 1, in proportion to relevance; equal where none is given or all are 0. */
export function jumpShares(pages: number, relevance?: ArrayLike<number>): Float64Array {
  const shares = new Float64Array(pages).fill(pages === 0 ? 0 : 1 / pages);
  if (!relevance) return shares;
  let sum = 0;
  for (let page = 0; page < pages; page++) sum += relevance[page] as number;
  if (sum > 0) for (let page = 0; page < pages; page++) shares[page] = (relevance[page] as number) / sum;
  return shares;
}
