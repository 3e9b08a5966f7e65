import type { Block } from '../../../model/layout.ts';
import { append } from '../append.ts';
import { sameColumn } from './box-overlap.ts';
import type { LeafPairs } from './leaf-pairs.ts';

/** New content in an old place: pairs the remaining leaves that are between the same neighbours and in the same column. */
export function matchBetween(pairs: LeafPairs): void {
  const { olds, news, partnerOfOld, partnerOfNew } = pairs;
  const openOld = new Set(pairs.openOld());
  const openNew = new Set(pairs.openNew());
  if (openOld.size === 0 || openNew.size === 0) return;
  const waiting = new Map<number, number[]>();
  let before = -1;
  olds.forEach((_, o) => {
    if (partnerOfOld[o] !== -1) before = partnerOfOld[o] as number;
    else if (openOld.has(o)) append(waiting, before, o);
  });
  before = -1;
  const found: [number, number][] = [];
  news.forEach((block, n) => {
    if (partnerOfNew[n] !== -1) before = n;
    else if (openNew.has(n)) {
      const gap = waiting.get(before);
      const o = gap?.[0];
      if (o === undefined || !sameColumn((olds[o] as Block).box, block.box)) return;
      gap?.shift();
      found.push([o, n]);
    }
  });
  for (const [o, n] of found) pairs.join(o, n);
}
