import type { Block } from '../../../model/layout.ts';
import { append } from '../append.ts';
import { overlapOf } from './block-overlap.ts';
import { type LeafGroup, LeafPairs } from './leaf-pairs.ts';
import { matchBetween } from './match-between.ts';
import { matchEqual, matchInPlace } from './match-equal.ts';
import { matchSimilar } from './match-similar.ts';
import { findSplitsAndMerges } from './split-merge.ts';

/**
 * Step 1 of Vi-DIFF (Pehlivan, Ben Saad, Gançarski, IWAW 2009 §5.2, "Initialization"): which leaf of the new layout is
 * which of the old one.
 *
 * Departure: the paper assumes that the structure of blocks does not change (§5) and compares them place by place.
 * Pages do change theirs, so here blocks are known by what they hold, then by where they stand:
 *
 * 1. equal ids, then nearly equal content in the same place (match-equal.ts);
 * 2. one leaf covered by several, or several by one: split, merge (split-merge.ts);
 * 3. best score first of content, place and make-up (match-similar.ts);
 * 4. what is left between the same neighbours and has the same column (match-between.ts).
 *
 * Leaves without a partner came or went.
 */
export interface BlockMatch {
  readonly pairs: LeafPairs;
  /** In the reading order of the new layout; blocks that went stand after the one they followed. */
  readonly groups: readonly LeafGroup[];
}

export function matchBlocks(olds: readonly Block[], news: readonly Block[]): BlockMatch {
  const pairs = new LeafPairs(olds, news);
  matchEqual(pairs);
  matchInPlace(pairs);
  if (pairs.openOld().length > 0 && pairs.openNew().length > 0) {
    const overlap = overlapOf(pairs);
    const fixed = sameStructure(olds, news);
    if (!fixed) findSplitsAndMerges(pairs, overlap);
    matchSimilar(pairs, overlap, fixed);
    matchBetween(pairs);
  }
  return { pairs, groups: groupsOf(pairs) };
}

/** The same leaves by place: none came, went, was split or merged, though their content may have changed seats. */
const sameStructure = (olds: readonly Block[], news: readonly Block[]): boolean =>
  olds.length === news.length && olds.every((block, i) => block.ref === (news[i] as Block).ref);

function groupsOf({ partnerOfOld, partnerOfNew, equal, parted }: LeafPairs): LeafGroup[] {
  const ofOld = new Map<number, LeafGroup>();
  const ofNew = new Map<number, LeafGroup>();
  for (const group of parted) {
    for (const o of group.old) ofOld.set(o, group);
    for (const n of group.new) ofNew.set(n, group);
  }
  const gone = new Map<number, LeafGroup[]>();
  let before = -1;
  partnerOfOld.forEach((n, o) => {
    if (n !== -1) before = n;
    else if (!ofOld.has(o)) append(gone, before, { old: [o], new: [], equal: false });
  });
  const groups: LeafGroup[] = [...(gone.get(-1) ?? [])];
  const done = new Set<LeafGroup>();
  partnerOfNew.forEach((o, n) => {
    const group = ofNew.get(n);
    if (group) {
      if (!done.has(group)) groups.push(group);
      done.add(group);
    } else if (o === -1) groups.push({ old: [], new: [n], equal: false });
    else groups.push({ old: [o], new: [n], equal: equal[o] === 1 });
    groups.push(...(gone.get(n) ?? []));
  });
  return groups;
}
