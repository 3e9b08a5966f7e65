import type { Block, TextElement } from '../../../model/layout.ts';
import type { LeafPairs } from './leaf-pairs.ts';
import { PairTable } from './pair-table.ts';

/**
 * How much content the open leaves of two layouts share, by the ids of their elements, counted with multiplicity. Found
 * through an index of ids, so that only pairs that share something are examined.
 */
export interface Overlap {
  /** Shared mass of an old and a new leaf. */
  readonly shared: PairTable;
  readonly massOfOld: Float64Array;
  readonly massOfNew: Float64Array;
}

interface Holder {
  readonly leaf: number;
  count: number;
  /** The new leaf being counted, and how often it has held this id so far. */
  counting: number;
  counted: number;
}

/** An id held by more old leaves than this is furniture and does not help to identify leaves. */
const CROWD = 16;

/** This many characters of text weigh as much as a link. */
const LINK_WEIGHT = 100;

const massOf = (text: TextElement): number => 1 + text.text.length / LINK_WEIGHT;

export function overlapOf(pairs: LeafPairs): Overlap {
  const { olds, news } = pairs;
  const holders = new Map<string, Holder[]>();
  const massOfOld = new Float64Array(olds.length);
  const massOfNew = new Float64Array(news.length);
  const shared = new PairTable(news.length);

  for (const o of pairs.openOld()) {
    massOfOld[o] = eachElement(olds[o] as Block, (id) => {
      const list = holders.get(id);
      if (!list) {
        holders.set(id, [{ leaf: o, count: 1, counting: -1, counted: 0 }]);
        return;
      }
      const last = list.at(-1) as Holder;
      if (last.leaf === o) last.count++;
      else if (list.length <= CROWD) list.push({ leaf: o, count: 1, counting: -1, counted: 0 });
    });
  }
  for (const n of pairs.openNew()) {
    massOfNew[n] = eachElement(news[n] as Block, (id, mass) => {
      const list = holders.get(id);
      if (!list || list.length > CROWD) return;
      for (const holder of list) {
        if (holder.counting !== n) {
          holder.counting = n;
          holder.counted = 0;
        }
        if (holder.counted === holder.count) continue;
        holder.counted++;
        shared.set(holder.leaf, n, (shared.get(holder.leaf, n) ?? 0) + mass);
      }
    });
  }
  return { shared, massOfOld, massOfNew };
}

/** Total mass. */
function eachElement(block: Block, visit: (id: string, mass: number) => void): number {
  for (const link of block.links) visit(link.id, 1);
  for (const image of block.images) visit(image.id, 1);
  let mass = block.links.length + block.images.length;
  for (const text of block.texts) {
    const own = massOf(text);
    mass += own;
    visit(text.id, own);
  }
  return mass;
}
