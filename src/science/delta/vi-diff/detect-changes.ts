import type { ElementKind, ElementOfKind } from '../../../model/delta.ts';
import { sourceKey } from './source-key.ts';

/** An element where it stands: leaf and index are positions in the flattened layout. */
export interface Standing<K extends ElementKind> {
  readonly value: ElementOfKind[K];
  readonly leaf: number;
  readonly index: number;
  /** Which matched element stands before it in its group: elements of one gap have the same neighbour. */
  gap: number;
  paired: boolean;
}

export interface Pair<K extends ElementKind> {
  readonly old: Standing<K>;
  readonly new: Standing<K>;
}

type Key<K extends ElementKind> = (value: ElementOfKind[K]) => string | undefined;

const nonEmpty = (text: string): string | undefined => (text === '' ? undefined : text);

/** By what an element that changed is known, best first. An empty name names nothing. */
const KEYS: { readonly [K in ElementKind]: readonly Key<K>[] } = {
  link: [(link) => nonEmpty(link.address), (link) => nonEmpty(link.name)],
  image: [
    (image) => image.digest,
    (image) => nonEmpty(sourceKey(image.source)),
    (image) => nonEmpty(image.name),
  ],
  text: [],
};

/** Pairs the elements with equal ids of two lists, the k-th with the k-th, and says in which gap the others stand. */
export function pairEqual<K extends ElementKind>(
  olds: readonly Standing<K>[],
  news: readonly Standing<K>[],
  found: (old: Standing<K>, now: Standing<K>) => void,
): void {
  const join = (old: Standing<K>, now: Standing<K>): void => {
    old.paired = true;
    now.paired = true;
    found(old, now);
  };
  if (olds.length === 0 || news.length === 0) return;
  const next = new Int32Array(olds.length);
  const first = new Map<string, number>();
  for (let i = olds.length - 1; i >= 0; i--) {
    const { id } = (olds[i] as Standing<K>).value;
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
    join(olds[o] as Standing<K>, now);
  });
  before = -1;
  olds.forEach((old, o) => {
    if (partner[o] === -1) old.gap = before;
    else before = partner[o] as number;
  });
}

/**
 * Step 2 of Vi-DIFF for links and images (IWAW 2009 §5.2), in passes over multisets instead of one merge of two
 * lists sorted by name: there, one of many equal names ("Read more") that goes shifts all that follow. Keys that
 * occur once on either side decide first, then those that stand in the same gap, then the order of the document.
 */
export function pairChanged<K extends ElementKind>(
  kind: K,
  olds: readonly Standing<K>[],
  news: readonly Standing<K>[],
  found: (old: Standing<K>, now: Standing<K>) => void,
): void {
  const keys: readonly Key<K>[] = KEYS[kind];
  let left = Math.min(olds.length, news.length);
  const pass = (keyOf: (one: Standing<K>) => string | undefined, once: boolean): void => {
    if (left > 0) left -= pairBy(olds, news, keyOf, once, found);
  };
  for (const key of keys) pass((one) => key(one.value), true);
  for (const key of keys) pass((one) => gapKey(one, key), false);
  for (const key of keys) pass((one) => key(one.value), false);
}

function gapKey<K extends ElementKind>(one: Standing<K>, key: Key<K>): string | undefined {
  const own = key(one.value);
  return own === undefined ? undefined : `${one.gap} ${own}`;
}

const SEVERAL = -2;

/** How many pairs it found. */
function pairBy<K extends ElementKind>(
  olds: readonly Standing<K>[],
  news: readonly Standing<K>[],
  keyOf: (one: Standing<K>) => string | undefined,
  once: boolean,
  found: (old: Standing<K>, now: Standing<K>) => void,
): number {
  const next: number[] = [];
  const first = new Map<string, number>();
  for (let i = olds.length - 1; i >= 0; i--) {
    const one = olds[i] as Standing<K>;
    const key = one.paired ? undefined : keyOf(one);
    const later = key === undefined ? undefined : first.get(key);
    next.push(later ?? -1);
    if (key !== undefined) first.set(key, once && later !== undefined ? SEVERAL : i);
  }
  if (first.size === 0) return 0;
  let pairs = 0;
  const keys = news.map((now) => (now.paired ? undefined : keyOf(now)));
  const counts = new Map<string, number>();
  if (once) for (const key of keys) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  news.forEach((now, n) => {
    const key = keys[n];
    if (key === undefined) return;
    const o = first.get(key);
    if (o === undefined || o < 0 || (once && counts.get(key) !== 1)) return;
    // From the last to the first.
    first.set(key, next[olds.length - 1 - o] as number);
    pairs++;
    const old = olds[o] as Standing<K>;
    old.paired = true;
    now.paired = true;
    found(old, now);
  });
  return pairs;
}

/** Whether a reader sees the same in both: the same picture under another address is the same picture. */
export function looksEqual<K extends ElementKind>(
  kind: K,
  old: ElementOfKind[K],
  now: ElementOfKind[K],
): boolean {
  if (old.id === now.id) return true;
  if (kind !== 'image') return false;
  const [a, b] = [old as ElementOfKind['image'], now as ElementOfKind['image']];
  if (a.name !== b.name) return false;
  if (a.digest !== undefined && b.digest !== undefined) return a.digest === b.digest;
  return sourceKey(a.source) === sourceKey(b.source);
}

/**
 * Whether elements with equal ids are equal in every field, also in those that do not show and no id covers.
 * Ids are collision-free hashes, so what they cover is not compared again.
 */
export function sameLabels<K extends ElementKind>(
  kind: K,
  old: ElementOfKind[K],
  now: ElementOfKind[K],
): boolean {
  if (kind === 'text' || old === now) return true;
  const [a, b] = [old as ElementOfKind['image'], now as ElementOfKind['image']];
  if (a.advertisement !== b.advertisement) return false;
  return kind === 'link' || (a.source === b.source && a.digest === b.digest);
}
