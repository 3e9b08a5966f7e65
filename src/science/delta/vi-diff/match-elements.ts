import type { ElementKind } from '../../../model/delta.ts';
import { detectChanges, looksEqual } from './detect-changes.ts';
import { detectTextChanges } from './detect-text-changes.ts';
import type { ElementOutcome, Pair, Standing, Unpaired } from './element-outcome.ts';
import { pairEqualElements } from './equal-elements.ts';
import type { BlockMatch } from './match-blocks.ts';
import {
  detectMoves,
  detectRenamed,
  detectReworded,
  type ElementMoved,
  splitRenamed,
  withoutQuiet,
} from './moves.ts';
import { RepeatedKeys } from './repeated-keys.ts';
import { WordIds } from './word-ids.ts';

export interface ElementMatch<K extends ElementKind> {
  /** Parallel to the groups. */
  readonly outcomes: readonly ElementOutcome<K>[];
  readonly moves: readonly ElementMoved<K>[];
  /** Updates whose old and new elements are in different groups: they belong to both, so to neither's outcome. */
  readonly across: readonly ElementMoved<K>[];
}

/**
 * Step 2 of Vi-DIFF (IWAW 2009 §5.2, "Detecting changes") for one kind of element: equal ids inside a group; equal ids
 * in different groups (moves); then changes inside a group.
 *
 * Departure: the paper's one merge of two sorted lists finds moves and updates together. Here moves come first: an
 * equal id says more than an equal name, and a "Read more" that moved away must not become an update of the one that
 * took its place.
 */
export function matchElements<K extends ElementKind>(kind: K, match: BlockMatch): ElementMatch<K> {
  const { pairs, groups } = match;
  const outcomes = groups.map((group) => pairEqualElements(kind, group, pairs));
  const moves = detectMoves(outcomes);
  dropMoved(outcomes, moves);
  const repeated = new RepeatedKeys(kind, pairs.olds, pairs.news);
  const words = new WordIds();
  for (const outcome of outcomes) detectUpdates(outcome, repeated, words);
  const renamed = (
    kind === 'text'
      ? detectReworded(
          outcomes as readonly ElementOutcome<ElementKind>[] as readonly ElementOutcome<'text'>[],
          words,
        )
      : detectRenamed(kind, outcomes, repeated)
  ) as readonly ElementMoved<K>[];
  dropMoved(outcomes, renamed);
  const { moves: movedAway, updates } = splitRenamed(kind, { moves, renamed }, outcomes, match);
  return { outcomes, moves: [...withoutQuiet(kind, moves, outcomes, match), ...movedAway], across: updates };
}

function dropMoved<K extends ElementKind>(
  outcomes: readonly ElementOutcome<K>[],
  moves: readonly ElementMoved<K>[],
): void {
  const groups = new Set(moves.flatMap(({ fromGroup, toGroup }) => [fromGroup, toGroup]));
  for (const group of groups) outcomes[group]?.dropPaired();
}

/** Pairs elements that changed name, address, picture or wording. */
function detectUpdates<K extends ElementKind>(
  outcome: ElementOutcome<K>,
  repeated: RepeatedKeys<K>,
  words: WordIds,
): void {
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
  if (kind === 'text') detectTextChanges(unpaired as unknown as Unpaired<'text'>, words);
  else detectChanges(kind, unpaired, repeated);
  updates.sort((a, b) => a.new.leaf - b.new.leaf || a.new.index - b.new.index);
  outcome.updates = updates;
  outcome.dropPaired();
}
