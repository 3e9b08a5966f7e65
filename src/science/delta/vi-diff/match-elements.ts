import type { ElementKind, ElementOfKind, PageElement } from '../../../model/delta.ts';
import type { Block } from '../../../model/layout.ts';
import {
  looksEqual,
  type Pair,
  pairChanged,
  pairEqual,
  type Standing,
  sameLabels,
} from './detect-changes.ts';
import { pairTexts } from './detect-text-changes.ts';
import { longestIncreasing } from './increasing.ts';
import type { LeafGroup, LeafMatch } from './match-blocks.ts';

/** What became of the elements of one kind in one group of leaves. */
export interface KindOutcome<K extends ElementKind> {
  /** Paired inside the group, unchanged ones included; and how many of those pairs are advertisements on both sides. */
  matched: number;
  matchedAdvertisements: number;
  updates: readonly Pair<K>[];
  /** Same to a reader, but not in place or not equal in all fields. */
  quiet: readonly Pair<K>[];
  olds: readonly Standing<K>[];
  news: readonly Standing<K>[];
}

export interface KindMatch<K extends ElementKind> {
  /** Parallel to the groups. */
  readonly outcomes: readonly KindOutcome<K>[];
  readonly moves: readonly (Pair<K> & { readonly fromGroup: number; readonly toGroup: number })[];
}

/** Most groups have nothing to tell: their lists are this one, not four of their own. */
const NONE: readonly never[] = Object.freeze([]);

/** `list` and one more; a list of its own once there is something in it. */
function withOne<T>(list: readonly T[], one: T): readonly T[] {
  if (list === NONE) return [one];
  (list as T[]).push(one);
  return list;
}

const isAdvertisement = (value: PageElement): boolean =>
  (value as { readonly advertisement?: boolean }).advertisement === true;

export const listOf = <K extends ElementKind>(block: Block, kind: K): readonly ElementOfKind[K][] =>
  (kind === 'link'
    ? block.links
    : kind === 'image'
      ? block.images
      : block.texts) as readonly ElementOfKind[ElementKind][] as readonly ElementOfKind[K][];

/**
 * Passes: equal ids inside a group; equal ids in different groups (moves); then what changed inside a group.
 * The spec looks for moves last; but an equal id says more than an equal name, and a "Read more" that moved away
 * must not become an update of the one that took its place.
 */
export function matchElements<K extends ElementKind>(
  kind: K,
  olds: readonly Block[],
  news: readonly Block[],
  match: LeafMatch,
): KindMatch<K> {
  const outcomes = match.groups.map((group) => pairInside(kind, olds, news, group, match));
  const across = pairAcross(outcomes);
  for (const outcome of outcomes) pairRest(kind, outcome);
  const moves = kind === 'image' && across.length > 0 ? withoutSigns(across, outcomes, olds, news) : across;
  return { outcomes, moves };
}

/** Pictures of which a page holds so many, before and after, are signs, or stand for pictures to come. */
const SIGNS = 4;

/**
 * One of many equal pictures that is gone here, and one more there: nobody can say that it moved, and a reader sees the
 * same signs. Left to the ledger.
 */
function withoutSigns<K extends ElementKind>(
  moves: KindMatch<K>['moves'],
  outcomes: readonly KindOutcome<K>[],
  olds: readonly Block[],
  news: readonly Block[],
): KindMatch<K>['moves'] {
  const before = copiesOf(moves, olds);
  const after = copiesOf(moves, news);
  return moves.filter(({ old, new: now, toGroup }) => {
    const { id } = now.value;
    if ((before.get(id) ?? 0) < SIGNS || (after.get(id) ?? 0) < SIGNS) return true;
    const outcome = outcomes[toGroup] as KindOutcome<K>;
    outcome.quiet = withOne(outcome.quiet, { old, new: now });
    return false;
  });
}

/** How often each picture that moved stands on a page. */
function copiesOf<K extends ElementKind>(
  moves: KindMatch<K>['moves'],
  blocks: readonly Block[],
): ReadonlyMap<string, number> {
  const copies = new Map(moves.map(({ old }) => [old.value.id, 0]));
  for (const { images } of blocks) {
    for (const { id } of images) {
      const known = copies.get(id);
      if (known !== undefined) copies.set(id, known + 1);
    }
  }
  return copies;
}

function pairInside<K extends ElementKind>(
  kind: K,
  olds: readonly Block[],
  news: readonly Block[],
  group: LeafGroup,
  match: LeafMatch,
): KindOutcome<K> {
  const outcome: KindOutcome<K> = {
    matched: 0,
    matchedAdvertisements: 0,
    updates: NONE,
    quiet: NONE,
    olds: NONE,
    news: NONE,
  };
  const o = group.old[0];
  const n = group.new[0];
  if (o === undefined || n === undefined || group.structure !== undefined) {
    outcome.olds = group.old.flatMap((leaf) => standing(listOf(olds[leaf] as Block, kind), leaf));
    outcome.news = group.new.flatMap((leaf) => standing(listOf(news[leaf] as Block, kind), leaf));
  } else {
    const a = listOf(olds[o] as Block, kind);
    const b = listOf(news[n] as Block, kind);
    // Equal ids: every element has its equal at the same index, and no id needs to be looked at.
    const known = group.equal && a.length === b.length;
    if (known && kind === 'text') {
      outcome.matched = a.length;
      return outcome;
    }
    const start = sameEnd(kind, a, b, o, n, outcome, 1, 0, known);
    const tail = sameEnd(kind, a, b, o, n, outcome, -1, start);
    if (start + tail === a.length && a.length === b.length) return outcome;
    outcome.olds = standing(a, o, start, a.length - tail);
    outcome.news = standing(b, n, start, b.length - tail);
  }
  if (outcome.olds.length === 0 || outcome.news.length === 0) return outcome;
  const inPlace: Pair<K>[] = [];
  pairEqual(outcome.olds, outcome.news, (old, now) => {
    count(outcome, old.value, now.value);
    const stays = match.partnerOfNew[now.leaf] === old.leaf && sameLabels(kind, old.value, now.value);
    if (stays) inPlace.push({ old, new: now });
    else outcome.quiet = withOne(outcome.quiet, { old, new: now });
  });
  if (inPlace.length > 1) addReordered(inPlace, outcome);
  outcome.olds = outcome.olds.filter(open);
  outcome.news = outcome.news.filter(open);
  return outcome;
}

/** How many elements at the beginning (step 1) or the end (step -1) have equal ids; past `reserved` of them. */
function sameEnd<K extends ElementKind>(
  kind: K,
  a: readonly ElementOfKind[K][],
  b: readonly ElementOfKind[K][],
  o: number,
  n: number,
  outcome: KindOutcome<K>,
  step: 1 | -1,
  reserved = 0,
  known = false,
): number {
  const most = Math.min(a.length, b.length) - reserved;
  let length = 0;
  for (; length < most; length++) {
    const i = step === 1 ? length : a.length - 1 - length;
    const j = step === 1 ? length : b.length - 1 - length;
    const old = a[i] as ElementOfKind[K];
    const now = b[j] as ElementOfKind[K];
    if (!known && old.id !== now.id) break;
    count(outcome, old, now);
    if (!sameLabels(kind, old, now)) {
      const pair = { old: standingAt(old, o, i), new: standingAt(now, n, j) };
      outcome.quiet = withOne(outcome.quiet, pair);
    }
  }
  return length;
}

const standingAt = <K extends ElementKind>(
  value: ElementOfKind[K],
  leaf: number,
  index: number,
): Standing<K> => ({ value, leaf, index, gap: -1, paired: false });

function standing<K extends ElementKind>(
  list: readonly ElementOfKind[K][],
  leaf: number,
  start = 0,
  end = list.length,
): Standing<K>[] {
  const all: Standing<K>[] = [];
  for (let i = start; i < end; i++) all.push(standingAt(list[i] as ElementOfKind[K], leaf, i));
  return all;
}

function count<K extends ElementKind>(
  outcome: KindOutcome<K>,
  old: ElementOfKind[K],
  now: ElementOfKind[K],
): void {
  outcome.matched++;
  if (isAdvertisement(old) && isAdvertisement(now)) outcome.matchedAdvertisements++;
}

/** Pairs come in the order of the new list; those that lost their order are changes for the ledger. */
function addReordered<K extends ElementKind>(inPlace: readonly Pair<K>[], outcome: KindOutcome<K>): void {
  const byLeaf = new Map<number, Pair<K>[]>();
  for (const pair of inPlace) {
    const list = byLeaf.get(pair.new.leaf);
    if (list) list.push(pair);
    else byLeaf.set(pair.new.leaf, [pair]);
  }
  for (const pairs of byLeaf.values()) {
    const kept = longestIncreasing(pairs.map((pair) => pair.old.index));
    pairs.forEach((pair, i) => {
      if (kept[i] === 0) outcome.quiet = withOne(outcome.quiet, pair);
    });
  }
}

/** Step 3: what went from one group and came to another under the same id, the k-th to the k-th. */
function pairAcross<K extends ElementKind>(outcomes: readonly KindOutcome<K>[]): KindMatch<K>['moves'] {
  const waiting = new Map<string, { readonly old: Standing<K>; readonly fromGroup: number }[]>();
  for (let fromGroup = outcomes.length - 1; fromGroup >= 0; fromGroup--) {
    const { olds } = outcomes[fromGroup] as KindOutcome<K>;
    for (let i = olds.length - 1; i >= 0; i--) {
      const old = olds[i] as Standing<K>;
      const list = waiting.get(old.value.id);
      if (list) list.push({ old, fromGroup });
      else waiting.set(old.value.id, [{ old, fromGroup }]);
    }
  }
  const moves: (Pair<K> & { fromGroup: number; toGroup: number })[] = [];
  if (waiting.size === 0) return moves;
  outcomes.forEach(({ news }, toGroup) => {
    for (const now of news) {
      const found = waiting.get(now.value.id)?.pop();
      if (!found) continue;
      found.old.paired = true;
      now.paired = true;
      moves.push({ old: found.old, new: now, fromGroup: found.fromGroup, toGroup });
    }
  });
  return moves;
}

/** Step 2: what has another name, address, picture or wording. */
function pairRest<K extends ElementKind>(kind: K, outcome: KindOutcome<K>): void {
  if (outcome.olds.length === 0 && outcome.news.length === 0) return;
  // What is left of both after moves between groups.
  const olds = outcome.olds.filter(open);
  const news = outcome.news.filter(open);
  if (olds.length > 0 && news.length > 0) {
    const updates: Pair<K>[] = [];
    const found = (old: Standing<K>, now: Standing<K>): void => {
      count(outcome, old.value, now.value);
      if (looksEqual(kind, old.value, now.value)) outcome.quiet = withOne(outcome.quiet, { old, new: now });
      else updates.push({ old, new: now });
    };
    if (kind === 'text') {
      pairTexts(
        olds as readonly Standing<ElementKind>[] as readonly Standing<'text'>[],
        news as readonly Standing<ElementKind>[] as readonly Standing<'text'>[],
        found as unknown as (old: Standing<'text'>, now: Standing<'text'>) => void,
      );
    } else pairChanged(kind, olds, news, found);
    updates.sort((a, b) => a.new.leaf - b.new.leaf || a.new.index - b.new.index);
    outcome.updates = updates;
    outcome.olds = olds.filter(open);
    outcome.news = news.filter(open);
  } else {
    outcome.olds = olds;
    outcome.news = news;
  }
}

const open = (one: { readonly paired: boolean }): boolean => !one.paired;
