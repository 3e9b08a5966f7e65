import type { ElementKind, ElementOfKind } from '../../../model/delta.ts';
import type { Block } from '../../../model/layout.ts';
import { Copies } from './copies.ts';
import { sourceKey } from './source-key.ts';
import { wordsOf } from './text-distance.ts';

/** Keys that identify a changed element, best first. An empty name identifies nothing. */
export type Key<K extends ElementKind> = (value: ElementOfKind[K]) => string | undefined;

const nonEmpty = (text: string): string | undefined => (text === '' ? undefined : text);

export const KEYS: { readonly [K in ElementKind]: readonly Key<K>[] } = {
  link: [(link) => nonEmpty(link.address), (link) => nonEmpty(link.name)],
  image: [
    (image) => image.digest,
    (image) => nonEmpty(sourceKey(image.source)),
    (image) => image.candidates && sourceKey(firstOf(image.candidates)),
    (image) => nonEmpty(image.name),
  ],
  text: [],
};

const firstOf = (list: string): string => {
  const end = list.indexOf(' ');
  return end === -1 ? list : list.slice(0, end);
};

/** Index of the key that is the name of a link or picture. */
const NAME: Readonly<Record<ElementKind, number>> = { link: 1, image: 3, text: -1 };
/** A name with at least this many words is no label, however often a page repeats it. */
const TELLING_WORDS = 5;

/** A key that this many elements of a page share identifies none of them: "Read more", `#`, a placeholder. */
const REPEATED = 3;

/** Keys that occur so often on either page that they identify nothing. */
export class RepeatedKeys<K extends ElementKind> {
  readonly #name: number;
  readonly #pages: readonly (readonly Copies<K>[])[];

  constructor(kind: K, olds: readonly Block[], news: readonly Block[]) {
    const keys: readonly Key<K>[] = KEYS[kind];
    this.#name = NAME[kind];
    this.#pages = keys.map((key) => [olds, news].map((blocks) => new Copies(kind, blocks, key)));
  }

  has(key: number, name: string): boolean {
    if (key === this.#name && wordsOf(name).length >= TELLING_WORDS) return false;
    return (this.#pages[key] ?? []).some((page) => page.count(name) >= REPEATED);
  }
}
