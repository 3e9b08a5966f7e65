import type { ElementKind } from '../../../model/delta.ts';
import type { Block } from '../../../model/layout.ts';
import { append } from '../append.ts';
import { detectChanges, looksEqual } from './detect-changes.ts';
import { detectTextChanges } from './detect-text-changes.ts';
import type { ElementOutcome, Pair, Standing, Unpaired } from './element-outcome.ts';
import { pairEqualElements } from './equal-elements.ts';
import type { LeafPairs } from './leaf-pairs.ts';
import type { BlockMatch } from './match-blocks.ts';

export interface ElementMatch<K extends ElementKind> {
  /** Parallel to the groups. */
  readonly outcomes: readonly ElementOutcome<K>[];
  readonly moves: readonly ElementMoved<K>[];
}

interface ElementMoved<K extends ElementKind> extends Pair<K> {
  readonly fromGroup: number;
  readonly toGroup: number;
}

/**
 * Step 2 of Vi-DIFF (IWAW 2009 §5.2, "Detecting changes") for one kind of element: equal ids inside a group; equal ids
 * in different groups (moves); then what changed inside a group.
 *
 * Departure: the paper's one merge of two sorted lists finds moves and updates together. Here moves come first: an
 * equal id says more than an equal name, and a "Read more" that moved away must not become an update of the one that
 * took its place.
 */
export function matchElements<K extends ElementKind>(
  kind: K,
  { pairs, groups }: BlockMatch,
): ElementMatch<K> {
  const outcomes = groups.map((group) => pairEqualElements(kind, group, pairs));
  const moves = detectMoves(outcomes);
  for (const outcome of outcomes) detectUpdates(outcome);
  if (kind !== 'image' || moves.length === 0) return { outcomes, moves };
  return { outcomes, moves: withoutSigns(moves, outcomes, pairs) };
}

/** What went from one group and came to another under the same id, the k-th to the k-th (Fig. 6, lines 4-8). */
function detectMoves<K extends ElementKind>(outcomes: readonly ElementOutcome<K>[]): ElementMoved<K>[] {
  const waiting = new Map<string, { readonly old: Standing<K>; readonly fromGroup: number }[]>();
  for (let fromGroup = outcomes.length - 1; fromGroup >= 0; fromGroup--) {
    const { olds } = outcomes[fromGroup] as ElementOutcome<K>;
    for (let i = olds.length - 1; i >= 0; i--) {
      const old = olds[i] as Standing<K>;
      append(waiting, old.value.id, { old, fromGroup });
    }
  }
  const moves: ElementMoved<K>[] = [];
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

/** What has another name, address, picture or wording. */
function detectUpdates<K extends ElementKind>(outcome: ElementOutcome<K>): void {
  if (outcome.olds.length === 0 && outcome.news.length === 0) return;
  // What moved between groups is paired.
  outcome.dropPaired();
  const { kind, olds, news } = outcome;
  if (olds.length === 0 || news.length === 0) return;
  const updates: Pair<K>[] = [];
  const join = (old: Standing<K>, now: Standing<K>): void => {
    old.paired = true;
    now.paired = true;
    outcome.count(old.value, now.value);
    if (looksEqual(kind, old.value, now.value)) outcome.addQuiet({ old, new: now });
    else updates.push({ old, new: now });
  };
  const unpaired: Unpaired<K> = { olds, news, join };
  if (kind === 'text') detectTextChanges(unpaired as unknown as Unpaired<'text'>);
  else detectChanges(kind, unpaired);
  updates.sort((a, b) => a.new.leaf - b.new.leaf || a.new.index - b.new.index);
  outcome.updates = updates;
  outcome.dropPaired();
}

/** Pictures of which a page holds so many, before and after, are signs, or stand for pictures to come. */
const SIGNS = 4;

/**
 * One of many equal pictures that is gone here, and one more there: it is undecidable whether it moved, and a reader sees the
 * same signs. Left to the ledger.
 */
function withoutSigns<K extends ElementKind>(
  moves: readonly ElementMoved<K>[],
  outcomes: readonly ElementOutcome<K>[],
  { olds, news }: LeafPairs,
): ElementMoved<K>[] {
  const before = copiesOf(moves, olds);
  const after = copiesOf(moves, news);
  return moves.filter(({ old, new: now, toGroup }) => {
    const { id } = now.value;
    if ((before.get(id) ?? 0) < SIGNS || (after.get(id) ?? 0) < SIGNS) return true;
    outcomes[toGroup]?.addQuiet({ old, new: now });
    return false;
  });
}

/** How often each picture that moved stands on a page. */
function copiesOf<K extends ElementKind>(
  moves: readonly ElementMoved<K>[],
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
