import type { ElementKind, ElementOfKind } from '../../../model/delta.ts';
import { append } from '../append.ts';
import type { Standing, Unpaired } from './element-outcome.ts';
import { KEYS, type Key, type RepeatedKeys } from './repeated-keys.ts';
import { sourceKey } from './source-key.ts';
import { SAME_TEXT, textDistance } from './text-distance.ts';

/**
 * DetectChanges for links and images (IWAW 2009 §5.2, Fig. 6), in passes over multisets instead of one merge of two
 * lists sorted by name: there, removing one of many equal names ("Read more") shifts all that follow. Keys that occur
 * once on either side decide first, then those in the same gap, then document order. Elements that no key pairs were
 * deleted or inserted. A link is updated if it has the same name or the same address, as the paper proposes at the end
 * of §5.2.
 *
 * Departure: a key that a page repeats identifies nothing, so two teasers are not changed into each other because both
 * say "Read more" or show the same placeholder. It serves only where one element alone took the place of another.
 */
export function detectChanges<K extends ElementKind>(
  kind: K,
  unpaired: Unpaired<K>,
  repeated: RepeatedKeys<K>,
): void {
  const keys: readonly Key<K>[] = KEYS[kind];
  const open: OpenElements<K> = { ...unpaired };
  const several = keys.map((key, k) => pairByKey(open, key, (name) => repeated.has(k, name), true));
  keys.forEach((key, k) => {
    if (several[k]) pairByKey(open, key, (name) => repeated.has(k, name), false);
  });
  pairAlone(open, keys);
  if (kind === 'link') pairByWords(open as unknown as OpenElements<'link'>);
}

/** Among links with an address that many share, pairs those with words in common, in order. */
function pairByWords(open: OpenElements<'link'>): void {
  const waiting = new Map<string, Standing<'link'>[]>();
  for (const old of open.olds)
    if (!old.paired && old.value.address !== '') append(waiting, old.value.address, old);
  if (waiting.size === 0) return;
  for (const now of open.news) {
    const others = now.paired ? undefined : waiting.get(now.value.address);
    const old = others?.find(
      (one) => !one.paired && textDistance(one.value.name, now.value.name) <= SAME_TEXT,
    );
    if (old) open.join(old, now);
  }
}

interface OpenElements<K extends ElementKind> extends Unpaired<K> {
  olds: readonly Standing<K>[];
  news: readonly Standing<K>[];
}

const isOpen = (one: { readonly paired: boolean }): boolean => !one.paired;

/**
 * Pairs the k-th element with a key with the k-th, those in the same gap first; `once`: only keys that occur once on either
 * side. Pairs are removed from the open elements. Returns whether a key occurs on both sides, and several times on one: if
 * not, another pass finds nothing, since open elements only get fewer.
 */
function pairByKey<K extends ElementKind>(
  open: OpenElements<K>,
  keyOf: Key<K>,
  isRepeated: (key: string) => boolean,
  once: boolean,
): boolean {
  if (open.olds.length === 0 || open.news.length === 0) return false;
  const holders = new Map<string, Standing<K> | Standing<K>[]>();
  for (const old of open.olds) {
    const key = keyOf(old.value);
    if (key === undefined) continue;
    const others = holders.get(key);
    if (others === undefined) holders.set(key, old);
    else if (Array.isArray(others)) others.push(old);
    else holders.set(key, [others, old]);
  }
  if (holders.size === 0) return false;
  const found = new Map<string, Standing<K> | Standing<K>[]>();
  for (const now of open.news) {
    const key = keyOf(now.value);
    if (key === undefined || !holders.has(key)) continue;
    const others = found.get(key);
    if (others === undefined) found.set(key, now);
    else if (Array.isArray(others)) others.push(now);
    else found.set(key, [others, now]);
  }
  if (found.size === 0) return false;
  let several = false;
  for (const [key, news] of found) {
    const olds = holders.get(key) as Standing<K> | Standing<K>[];
    const isSeveral = Array.isArray(olds) || Array.isArray(news);
    several ||= isSeveral;
    if ((once && isSeveral) || isRepeated(key)) continue;
    if (!Array.isArray(olds) && !Array.isArray(news)) open.join(olds, news);
    else pairSeveral([olds].flat(), [news].flat(), open.join);
  }
  open.olds = open.olds.filter(isOpen);
  open.news = open.news.filter(isOpen);
  return several;
}

function pairSeveral<K extends ElementKind>(
  olds: readonly Standing<K>[],
  news: readonly Standing<K>[],
  join: Unpaired<K>['join'],
): void {
  const byGap = new Map<number, Standing<K>[]>();
  for (let i = olds.length - 1; i >= 0; i--) {
    const old = olds[i] as Standing<K>;
    const list = byGap.get(old.gap);
    if (list) list.push(old);
    else byGap.set(old.gap, [old]);
  }
  for (const now of news) {
    const old = byGap.get(now.gap)?.pop();
    if (old) join(old, now);
  }
  const rest = olds.filter(isOpen);
  let next = 0;
  for (const now of news) {
    if (now.paired) continue;
    const old = rest[next++];
    if (!old) return;
    join(old, now);
  }
}

/**
 * Pairs a single element with the single one before it between the same neighbours, if they have something in common:
 * it took the other's place.
 */
function pairAlone<K extends ElementKind>(open: OpenElements<K>, keys: readonly Key<K>[]): void {
  if (open.olds.length === 0 || open.news.length === 0) return;
  const alone = aloneInGap(open.olds);
  for (const [gap, now] of aloneInGap(open.news)) {
    const old = now && alone.get(gap);
    if (!old) continue;
    const shares = keys.some((key) => {
      const own = key(old.value);
      return own !== undefined && own === key(now.value);
    });
    if (shares) open.join(old, now);
  }
}

function aloneInGap<K extends ElementKind>(
  list: readonly Standing<K>[],
): Map<number, Standing<K> | undefined> {
  const alone = new Map<number, Standing<K> | undefined>();
  for (const one of list) alone.set(one.gap, alone.has(one.gap) ? undefined : one);
  return alone;
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
  return sharesSource(a, b);
}

/** The same address apart from cache-busters, or one that both may be shown from. */
function sharesSource(a: ElementOfKind['image'], b: ElementOfKind['image']): boolean {
  const own = new Set(sourcesOf(a));
  return sourcesOf(b).some((source) => own.has(source));
}

const sourcesOf = ({ source, candidates }: ElementOfKind['image']): string[] =>
  [source, ...(candidates?.split(' ') ?? [])].map(sourceKey);
