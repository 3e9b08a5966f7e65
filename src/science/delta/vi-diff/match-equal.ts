import type { Block } from '../../../model/layout.ts';
import { append } from '../append.ts';
import { type LeafPairs, positionsByRef, sizeOf } from './leaf-pairs.ts';

/** Blocks with equal ids (IWAW 2009 Fig. 6, lines 4-5): by place first, then in reading order. */
export function matchEqual(pairs: LeafPairs): void {
  const { olds, news, partnerOfOld, partnerOfNew } = pairs;
  // Up to the first block that came or went, the k-th matches the k-th: those need no map.
  const most = Math.min(olds.length, news.length);
  let aligned = 0;
  while (aligned < most && olds[aligned]?.ref === news[aligned]?.ref) {
    if (olds[aligned]?.id === news[aligned]?.id) pairs.joinEqual(aligned, aligned);
    aligned++;
  }
  const byRef = new Map<string, number>();
  for (let o = aligned; o < olds.length; o++) byRef.set((olds[o] as Block).ref, o);
  for (let n = aligned; n < news.length; n++) {
    const block = news[n] as Block;
    const o = byRef.get(block.ref);
    if (o !== undefined && (olds[o] as Block).id === block.id) pairs.joinEqual(o, n);
  }
  const byId = new Map<string, number[]>();
  // From last to first: `pop` below then takes them in reading order.
  for (let o = olds.length - 1; o >= 0; o--) {
    if (partnerOfOld[o] === -1) append(byId, (olds[o] as Block).id, o);
  }
  if (byId.size === 0) return;
  news.forEach((block, n) => {
    if (partnerOfNew[n] !== -1) return;
    const o = byId.get(block.id)?.pop();
    if (o !== undefined) pairs.joinEqual(o, n);
  });
}

/**
 * Of what two leaves hold between them: above MOST no other leaf can share more, above NEARLY_ALL nothing can have been
 * split off.
 */
const MOST = 0.5;
const NEARLY_ALL = 0.9;

/**
 * The usual case, without an index: leaves at the same place whose lists begin and end alike. If all changed leaves are
 * where they were, sharing most is enough; otherwise, as one may have been split, only near equality is.
 */
export function matchInPlace(pairs: LeafPairs): void {
  const { olds, news } = pairs;
  const openOld = pairs.openOld();
  const openNew = pairs.openNew();
  const byRef = positionsByRef(olds, openOld);
  const found: { o: number; n: number; alike: number }[] = [];
  let inPlace = 0;
  for (const n of openNew) {
    const o = byRef.get((news[n] as Block).ref);
    if (o === undefined) continue;
    inPlace++;
    const alike = endsInCommon(olds[o] as Block, news[n] as Block);
    if (alike > MOST) found.push({ o, n, alike });
  }
  const all = inPlace === openOld.length && inPlace === openNew.length;
  for (const { o, n, alike } of found) if (all || alike > NEARLY_ALL) pairs.join(o, n);
}

/** Share of elements, of all that both blocks hold, that their lists have in common at the ends. */
function endsInCommon(a: Block, b: Block): number {
  const shared = endsOf(a.links, b.links) + endsOf(a.images, b.images) + endsOf(a.texts, b.texts);
  return shared / (sizeOf(a) + sizeOf(b) - shared);
}

function endsOf(a: readonly { readonly id: string }[], b: readonly { readonly id: string }[]): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start]?.id === b[start]?.id) start++;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end]?.id === b[b.length - 1 - end]?.id) end++;
  return start + end;
}
