import type { ElementKind } from '../../../model/delta.ts';
import type { Block } from '../../../model/layout.ts';
import { append } from '../append.ts';
import { Copies } from './copies.ts';
import { similarTexts } from './detect-text-changes.ts';
import { type ElementOutcome, listOf, type Pair, type Standing } from './element-outcome.ts';
import { longestIncreasing } from './increasing.ts';
import type { BlockMatch } from './match-blocks.ts';
import { KEYS, type RepeatedKeys } from './repeated-keys.ts';
import type { WordIds } from './word-ids.ts';

export interface ElementMoved<K extends ElementKind> extends Pair<K> {
  readonly fromGroup: number;
  readonly toGroup: number;
}

/**
 * Pairs what left one group and arrived in another with the same id, the k-th with the k-th (IWAW 2009 Fig. 6, lines
 * 4-8).
 */
export function detectMoves<K extends ElementKind>(
  outcomes: readonly ElementOutcome<K>[],
): ElementMoved<K>[] {
  return pairAcross(outcomes, ({ value }) => value.id, false);
}

/**
 * Links and pictures that left one group and arrived in another with the same address but another name: readers have
 * met them before. Only by keys that occur once on either side and that no page repeats.
 */
export function detectRenamed<K extends ElementKind>(
  kind: K,
  outcomes: readonly ElementOutcome<K>[],
  repeated: RepeatedKeys<K>,
): ElementMoved<K>[] {
  const key = kind === 'link' ? 0 : 1;
  const keyOf = KEYS[kind][key] as ((value: Standing<K>['value']) => string | undefined) | undefined;
  if (!keyOf) return [];
  const found = pairAcross(outcomes, ({ value }) => keyOf(value), true);
  // A data: picture is as likely to be a placeholder as a picture.
  const renamed = found.filter(({ new: now }) => {
    const own = keyOf(now.value) as string;
    return !own.startsWith('data:') && !repeated.has(key, own);
  });
  for (const move of renamed) move.old.paired = move.new.paired = true;
  return renamed;
}

interface Waiting<K extends ElementKind> {
  readonly old: Standing<K>;
  readonly fromGroup: number;
}

/** `once`: only keys that occur once on either side, and nothing is marked as paired. */
function pairAcross<K extends ElementKind>(
  outcomes: readonly ElementOutcome<K>[],
  keyOf: (one: Standing<K>) => string | undefined,
  once: boolean,
): ElementMoved<K>[] {
  if (!outcomes.some(({ olds }) => olds.length > 0) || !outcomes.some(({ news }) => news.length > 0))
    return [];
  const waiting = new Map<string, Waiting<K>[]>();
  for (let fromGroup = outcomes.length - 1; fromGroup >= 0; fromGroup--) {
    const { olds } = outcomes[fromGroup] as ElementOutcome<K>;
    for (let i = olds.length - 1; i >= 0; i--) {
      const old = olds[i] as Standing<K>;
      const key = keyOf(old);
      if (key !== undefined) append(waiting, key, { old, fromGroup });
    }
  }
  const found: (ElementMoved<K> & { readonly key: string })[] = [];
  const seen = new Map<string, number>();
  outcomes.forEach(({ news }, toGroup) => {
    for (const now of news) {
      const key = keyOf(now);
      const list = key === undefined ? undefined : waiting.get(key);
      if (!list || key === undefined) continue;
      if (once) seen.set(key, (seen.get(key) ?? 0) + 1);
      const one = once ? list[0] : list.pop();
      if (!one || (once && list.length > 1)) continue;
      if (!once) one.old.paired = now.paired = true;
      found.push({ old: one.old, new: now, fromGroup: one.fromGroup, toGroup, key });
    }
  });
  return once ? found.filter(({ key }) => seen.get(key) === 1) : found;
}

/** Fewest words in a text that can be recognised in another block, and the largest distance for that. */
const KNOWN_WORDS = 5;
const KNOWN_AGAIN = 0.34;

/** Longer texts that arrived in another group with only a few words changed. */
export function detectReworded(
  outcomes: readonly ElementOutcome<'text'>[],
  words: WordIds,
): ElementMoved<'text'>[] {
  const groupOf = new Map<Standing<'text'>, number>();
  const olds: Standing<'text'>[] = [];
  const news: Standing<'text'>[] = [];
  outcomes.forEach((outcome, group) => {
    for (const [from, into] of [
      [outcome.olds, olds],
      [outcome.news, news],
    ] as const) {
      for (const one of from) {
        if (one.value.text.length < 4 * KNOWN_WORDS) continue;
        groupOf.set(one, group);
        into.push(one);
      }
    }
  });
  if (olds.length === 0 || news.length === 0) return [];
  return similarTexts(olds, news, { words: KNOWN_WORDS, distance: KNOWN_AGAIN }, words).map(
    ({ old, now }) => {
      old.paired = now.paired = true;
      return { old, new: now, fromGroup: groupOf.get(old) as number, toGroup: groupOf.get(now) as number };
    },
  );
}

/**
 * Elements that a page repeats this often, before and after, are icons and labels, or placeholders for pictures to
 * come.
 */
const SIGNS = 4;
/** In characters. For short texts ("5 Min", "Mehr"), LABELS repeats are enough. */
const SHORT = 20;
const LABELS = 2;

/**
 * Leaves to the ledger moves that a reader would not call moves: one of many equal elements that is gone here while
 * another appears there; and elements in another block that passed nothing that stayed in place.
 */
export function withoutQuiet<K extends ElementKind>(
  kind: K,
  moves: readonly ElementMoved<K>[],
  outcomes: readonly ElementOutcome<K>[],
  match: BlockMatch,
): ElementMoved<K>[] {
  if (moves.length === 0) return [];
  const { olds, news } = match.pairs;
  const before = new Copies(kind, olds, ({ id }) => id);
  const after = new Copies(kind, news, ({ id }) => id);
  const isLabel = ({ new: now }: ElementMoved<K>): boolean => {
    const least = isShort(now) ? LABELS : SIGNS;
    return before.count(now.value.id) >= least && after.count(now.value.id) >= least;
  };
  const kept = keptOrder(kind, moves, { outcomes, leaving: moves }, match);
  return moves.filter((move) => {
    if (!(kept.has(move) || isLabel(move))) return true;
    outcomes[move.toGroup]?.addQuiet(move);
    return false;
  });
}

const isShort = ({ value }: Standing<ElementKind>): boolean => 'text' in value && value.text.length <= SHORT;

/**
 * Changed elements in another block that passed nothing are where they were: they are updates. In a new block everything
 * else is new, so there they have moved.
 */
export function splitRenamed<K extends ElementKind>(
  kind: K,
  { moves, renamed }: Readonly<Record<'moves' | 'renamed', readonly ElementMoved<K>[]>>,
  outcomes: readonly ElementOutcome<K>[],
  match: BlockMatch,
): { readonly moves: readonly ElementMoved<K>[]; readonly updates: readonly ElementMoved<K>[] } {
  if (renamed.length === 0) return { moves: [], updates: [] };
  const kept = keptOrder(kind, renamed, { outcomes, leaving: [...moves, ...renamed] }, match);
  const isUpdate = (move: ElementMoved<K>): boolean =>
    kept.has(move) && (match.groups[move.toGroup]?.old.length ?? 0) > 0;
  return { moves: renamed.filter((move) => !isUpdate(move)), updates: renamed.filter(isUpdate) };
}

/** Elements that do not stay in their leaf: without a partner, or with one in another group. */
interface Departures<K extends ElementKind> {
  readonly outcomes: readonly ElementOutcome<K>[];
  readonly leaving: readonly ElementMoved<K>[];
}

/** First and last index of the elements of a leaf that stayed in it. */
interface Staying {
  readonly first: number;
  readonly last: number;
}

/**
 * Moves that passed nothing: consistent with all leaves that kept their order, with the elements that stayed, and with
 * each other.
 */
function keptOrder<K extends ElementKind>(
  kind: K,
  moves: readonly ElementMoved<K>[],
  { outcomes, leaving }: Departures<K>,
  { pairs, order }: BlockMatch,
): ReadonlySet<ElementMoved<K>> {
  const { olds, news, partnerOfOld, partnerOfNew } = pairs;
  const keptPartner = (o: number): number => (order.keptOld[o] === 1 ? (partnerOfOld[o] as number) : -1);
  const floor = new Int32Array(olds.length + 1);
  const ceiling = new Int32Array(olds.length + 1).fill(news.length);
  for (let o = 0; o < olds.length; o++) floor[o + 1] = Math.max(floor[o] as number, keptPartner(o));
  for (let o = olds.length - 1; o >= 0; o--) {
    const n = keptPartner(o);
    ceiling[o] = n === -1 ? (ceiling[o + 1] as number) : Math.min(n, ceiling[o + 1] as number);
  }
  const left = {
    old: new Map(moves.map(({ old }) => [old.leaf, new Set<number>()])),
    new: new Map(moves.map(({ new: now }) => [now.leaf, new Set<number>()])),
  };
  const leave = (side: 'old' | 'new', { leaf, index }: Standing<K>): void => {
    left[side].get(leaf)?.add(index);
  };
  for (const outcome of outcomes) {
    for (const one of outcome.olds) leave('old', one);
    for (const one of outcome.news) leave('new', one);
  }
  for (const move of leaving) {
    leave('old', move.old);
    leave('new', move.new);
  }
  const known = { old: new Map<number, Staying>(), new: new Map<number, Staying>() };
  const stayingIn = (side: 'old' | 'new', leaf: number): Staying => {
    const found = known[side].get(leaf);
    if (found) return found;
    const gone = left[side].get(leaf);
    const { length } = listOf((side === 'old' ? olds : news)[leaf] as Block, kind);
    let first = 0;
    let last = length - 1;
    while (first < length && gone?.has(first)) first++;
    while (last >= 0 && gone?.has(last)) last--;
    const staying = first > last ? { first: Number.POSITIVE_INFINITY, last: -1 } : { first, last };
    known[side].set(leaf, staying);
    return staying;
  };
  const passesNothing = ({ old, new: now }: ElementMoved<K>): boolean => {
    const [o, n] = [old.leaf, now.leaf];
    if (n < (floor[o] as number) || n > (ceiling[o + 1] as number)) return false;
    const own = keptPartner(o);
    if (own !== -1) {
      const staying = stayingIn('old', o);
      if (n > own ? staying.last > old.index : staying.first < old.index) return false;
    }
    const host = partnerOfNew[n] as number;
    if (host === -1 || keptPartner(host) !== n) return true;
    const staying = stayingIn('new', n);
    return host > o ? staying.first >= now.index : staying.last <= now.index;
  };
  const quiet = moves
    .filter(passesNothing)
    .sort((a, b) => a.new.leaf - b.new.leaf || a.new.index - b.new.index);
  const kept = longestIncreasing(quiet.map(({ old }) => old.leaf * 2 ** 24 + old.index));
  return new Set(quiet.filter((_, i) => kept[i] === 1));
}
