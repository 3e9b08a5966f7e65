import type { ElementKind, ElementOfKind } from '../../../model/delta.ts';
import type { Block } from '../../../model/layout.ts';
import { append } from '../append.ts';
import { ElementOutcome, listOf, type Pair, standing, standingAt, type Unpaired } from './element-outcome.ts';
import { longestIncreasing } from './increasing.ts';
import type { LeafGroup, LeafPairs } from './leaf-pairs.ts';

/** Pairs the elements of a group with equal ids; the rest stays in `olds` and `news`. */
export function pairEqualElements<K extends ElementKind>(
  kind: K,
  group: LeafGroup,
  leaves: LeafPairs,
): ElementOutcome<K> {
  const outcome = new ElementOutcome(kind);
  const [o] = group.old;
  const [n] = group.new;
  if (o === undefined || n === undefined || group.structure !== undefined) {
    outcome.olds = group.old.flatMap((leaf) => standing(listOf(leaves.olds[leaf] as Block, kind), leaf));
    outcome.news = group.new.flatMap((leaf) => standing(listOf(leaves.news[leaf] as Block, kind), leaf));
  } else {
    const olds = listOf(leaves.olds[o] as Block, kind);
    const news = listOf(leaves.news[n] as Block, kind);
    // Equal block ids: every element has its equal at the same index, and no id needs to be looked up.
    const known = group.equal && olds.length === news.length;
    if (known && kind === 'text') {
      outcome.matched = olds.length;
      return outcome;
    }
    const lists = { o, n, olds, news };
    const start = commonStart(outcome, lists, known);
    const tail = commonEnd(outcome, lists, start);
    if (start + tail === olds.length && olds.length === news.length) return outcome;
    outcome.olds = standing(olds, o, start, olds.length - tail);
    outcome.news = standing(news, n, start, news.length - tail);
  }
  if (outcome.olds.length === 0 || outcome.news.length === 0) return outcome;
  pairRest(outcome, leaves);
  return outcome;
}

/** The elements of one kind in a pair of leaves. */
interface LeafLists<K extends ElementKind> {
  readonly o: number;
  readonly n: number;
  readonly olds: readonly ElementOfKind[K][];
  readonly news: readonly ElementOfKind[K][];
}

/** How many elements at the beginning have equal ids; all of them, where that is known. */
function commonStart<K extends ElementKind>(
  outcome: ElementOutcome<K>,
  lists: LeafLists<K>,
  known: boolean,
): number {
  const { olds, news } = lists;
  const most = Math.min(olds.length, news.length);
  let length = 0;
  for (; length < most; length++) {
    if (!known && olds[length]?.id !== news[length]?.id) break;
    keep(outcome, lists, length, length);
  }
  return length;
}

/** How many elements at the end have equal ids, beyond the `start` already paired. */
function commonEnd<K extends ElementKind>(
  outcome: ElementOutcome<K>,
  lists: LeafLists<K>,
  start: number,
): number {
  const { olds, news } = lists;
  const most = Math.min(olds.length, news.length) - start;
  let length = 0;
  for (; length < most; length++) {
    const i = olds.length - 1 - length;
    const j = news.length - 1 - length;
    if (olds[i]?.id !== news[j]?.id) break;
    keep(outcome, lists, i, j);
  }
  return length;
}

/** The i-th and the j-th are one element that stayed. */
function keep<K extends ElementKind>(
  outcome: ElementOutcome<K>,
  { o, n, olds, news }: LeafLists<K>,
  i: number,
  j: number,
): void {
  const old = olds[i] as ElementOfKind[K];
  const now = news[j] as ElementOfKind[K];
  outcome.count(old, now);
  if (!sameLabels(outcome.kind, old, now)) {
    outcome.addQuiet({ old: standingAt(old, o, i), new: standingAt(now, n, j) });
  }
}

/** Pairs what is between the common start and end, in any order. */
function pairRest<K extends ElementKind>(outcome: ElementOutcome<K>, { partnerOfNew }: LeafPairs): void {
  const { kind, olds, news } = outcome;
  const inPlace: Pair<K>[] = [];
  pairEqualIds({
    olds,
    news,
    join: (old, now) => {
      old.paired = true;
      now.paired = true;
      outcome.count(old.value, now.value);
      const stays = partnerOfNew[now.leaf] === old.leaf && sameLabels(kind, old.value, now.value);
      if (stays) inPlace.push({ old, new: now });
      else outcome.addQuiet({ old, new: now });
    },
  });
  if (inPlace.length > 1) addReordered(inPlace, outcome);
  outcome.dropPaired();
}

/** Pairs the k-th of an id with the k-th; records for the others which gap they are in. */
function pairEqualIds<K extends ElementKind>({ olds, news, join }: Unpaired<K>): void {
  const next = new Int32Array(olds.length);
  const first = new Map<string, number>();
  for (let i = olds.length - 1; i >= 0; i--) {
    const { id } = (olds[i] as Pair<K>['old']).value;
    next[i] = first.get(id) ?? -1;
    first.set(id, i);
  }
  const partner = new Int32Array(olds.length).fill(-1);
  let before = -1;
  news.forEach((now, n) => {
    const o = first.get(now.value.id);
    if (o === undefined || o === -1) {
      now.gap = before;
      return;
    }
    first.set(now.value.id, next[o] as number);
    partner[o] = n;
    before = n;
    join(olds[o] as Pair<K>['old'], now);
  });
  before = -1;
  olds.forEach((old, o) => {
    if (partner[o] === -1) old.gap = before;
    else before = partner[o] as number;
  });
}

/** Pairs come in the order of the new list; those that are out of order are changes for the ledger. */
function addReordered<K extends ElementKind>(inPlace: readonly Pair<K>[], outcome: ElementOutcome<K>): void {
  const byLeaf = new Map<number, Pair<K>[]>();
  for (const pair of inPlace) append(byLeaf, pair.new.leaf, pair);
  for (const pairs of byLeaf.values()) {
    const kept = longestIncreasing(pairs.map((pair) => pair.old.index));
    pairs.forEach((pair, i) => {
      if (kept[i] === 0) outcome.addQuiet(pair);
    });
  }
}

/**
 * Whether elements with equal ids are equal in every field, even in those that do not show and that no id covers. Ids
 * are collision-free hashes, so what they cover is not compared again.
 */
function sameLabels<K extends ElementKind>(kind: K, old: ElementOfKind[K], now: ElementOfKind[K]): boolean {
  if (kind === 'text' || old === now) return true;
  const [a, b] = [old as ElementOfKind['image'], now as ElementOfKind['image']];
  if (a.advertisement !== b.advertisement) return false;
  return kind === 'link' || (a.source === b.source && a.candidates === b.candidates && a.digest === b.digest);
}
