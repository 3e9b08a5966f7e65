import type { ElementKind, ElementOfKind, PageElement } from '../../../model/delta.ts';
import type { Block } from '../../../model/layout.ts';

/** An element and its position: leaf and index refer to the flattened layout. */
export interface Standing<K extends ElementKind> {
  readonly value: ElementOfKind[K];
  readonly leaf: number;
  readonly index: number;
  /** Which matched element precedes it in its group: elements of one gap have the same predecessor. */
  gap: number;
  paired: boolean;
  /** For a text, once requested; numbers from `WordIds`. */
  words: Int32Array | undefined;
}

export interface Pair<K extends ElementKind> {
  readonly old: Standing<K>;
  readonly new: Standing<K>;
}

/** Elements of one kind on both sides, still to be paired. */
export interface Unpaired<K extends ElementKind> {
  readonly olds: readonly Standing<K>[];
  readonly news: readonly Standing<K>[];
  /** Records a pair; both elements count as paired from then on. */
  readonly join: (old: Standing<K>, now: Standing<K>) => void;
}

/** Most groups have nothing to report: they share this list instead of having four of their own. */
const NONE: readonly never[] = Object.freeze([]);

/** What became of the elements of one kind in one group of leaves. */
export class ElementOutcome<K extends ElementKind> {
  readonly kind: K;
  /** Pairs inside the group, unchanged ones included; and how many of them are advertisements on both sides. */
  matched = 0;
  matchedAdvertisements = 0;
  updates: readonly Pair<K>[] = NONE;
  /** The same to a reader, but not in place or not equal in all fields. */
  quiet: readonly Pair<K>[] = NONE;
  olds: readonly Standing<K>[] = NONE;
  news: readonly Standing<K>[] = NONE;

  constructor(kind: K) {
    this.kind = kind;
  }

  count(old: ElementOfKind[K], now: ElementOfKind[K]): void {
    this.matched++;
    if (isAdvertisement(old) && isAdvertisement(now)) this.matchedAdvertisements++;
  }

  /** Gets a list of its own once there is something in it. */
  addQuiet(pair: Pair<K>): void {
    if (this.quiet === NONE) this.quiet = [pair];
    else (this.quiet as Pair<K>[]).push(pair);
  }

  dropPaired(): void {
    if (this.olds.length === 0 && this.news.length === 0) return;
    this.olds = this.olds.filter(isOpen);
    this.news = this.news.filter(isOpen);
  }
}

const isOpen = (one: { readonly paired: boolean }): boolean => !one.paired;

const isAdvertisement = (value: PageElement): boolean =>
  (value as { readonly advertisement?: boolean }).advertisement === true;

export const standingAt = <K extends ElementKind>(
  value: ElementOfKind[K],
  leaf: number,
  index: number,
): Standing<K> => ({ value, leaf, index, gap: -1, paired: false, words: undefined });

/** The elements of a leaf from `start` to before `end`. */
export function standing<K extends ElementKind>(
  list: readonly ElementOfKind[K][],
  leaf: number,
  start = 0,
  end = list.length,
): Standing<K>[] {
  const all: Standing<K>[] = [];
  for (let i = start; i < end; i++) all.push(standingAt(list[i] as ElementOfKind[K], leaf, i));
  return all;
}

export const listOf = <K extends ElementKind>(block: Block, kind: K): readonly ElementOfKind[K][] =>
  (kind === 'link'
    ? block.links
    : kind === 'image'
      ? block.images
      : block.texts) as readonly ElementOfKind[ElementKind][] as readonly ElementOfKind[K][];
