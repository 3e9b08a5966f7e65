import type { ElementKind, ElementOfKind } from '../../../model/delta.ts';
import type { Standing, Unpaired } from './element-outcome.ts';
import { sourceKey } from './source-key.ts';

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

/**
 * DetectChanges for links and images (IWAW 2009 §5.2, Fig. 6), in passes over multisets instead of one merge of two
 * lists sorted by name: there, one of many equal names ("Read more") that goes shifts all that follow. Keys that
 * occur once on either side decide first, then those that stand in the same gap, then the order of the document. What
 * no key pairs was deleted or inserted. A link is updated if it has the same name or the same address, as the paper
 * proposes at the end of §5.2.
 */
export function detectChanges<K extends ElementKind>(kind: K, unpaired: Unpaired<K>): void {
  const keys: readonly Key<K>[] = KEYS[kind];
  let left = Math.min(unpaired.olds.length, unpaired.news.length);
  const pass = (keyOf: (one: Standing<K>) => string | undefined, once: boolean): void => {
    if (left > 0) left -= pairByKey(unpaired, keyOf, once);
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

/** How many pairs it found; `once`: only of keys that either side has once. */
function pairByKey<K extends ElementKind>(
  { olds, news, join }: Unpaired<K>,
  keyOf: (one: Standing<K>) => string | undefined,
  once: boolean,
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
    // `next` was filled from the last to the first.
    first.set(key, next[olds.length - 1 - o] as number);
    pairs++;
    join(olds[o] as Standing<K>, now);
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
