/** Stories: list entries as on news pages, each an element with a link and some words, in one block. */
import type { EditablePage } from './page-edits.ts';
import type { SourceElement } from './source-html.ts';

export interface PageStory {
  readonly element: SourceElement;
  /** Index of the one leaf it is in. */
  readonly leaf: number;
}

/** Tags of entries; table rows and cells would not survive outside their table. */
const TAGS = new Set(['li', 'article', 'div', 'section', 'p', 'dd']);
const FEWEST = 3;
const SHORTEST = 15;
/** In characters of source: whole columns are no stories. */
const LONGEST = 12_000;

/** Lists with at least three entries. */
export function storiesOf({ source, shown }: EditablePage): PageStory[][] {
  const known = STORIES.get(shown);
  if (known) return known;
  const leaves = new Map<number, Set<number>>();
  const words = new Map<number, number>();
  const links = new Set<number>();
  for (const { mark, leafIndex, kind, value } of shown) {
    for (let at = mark; at >= 0; at = source.elements[at]?.parent ?? -1) {
      const own = leaves.get(at) ?? new Set();
      leaves.set(at, own.add(leafIndex));
      words.set(at, (words.get(at) ?? 0) + ('text' in value ? value.text : value.name).length);
      if (kind === 'link') links.add(at);
    }
  }
  const lists = new Map<string, PageStory[]>();
  for (const element of source.elements) {
    const [leaf] = leaves.get(element.mark) ?? [];
    const fits =
      TAGS.has(element.tag) &&
      element.closed &&
      leaves.get(element.mark)?.size === 1 &&
      links.has(element.mark) &&
      (words.get(element.mark) ?? 0) >= SHORTEST &&
      element.end - element.start <= LONGEST;
    if (!fits || leaf === undefined) continue;
    const key = `${element.parent} ${element.tag}`;
    lists.set(key, [...(lists.get(key) ?? []), { element, leaf }]);
  }
  const found = [...lists.values()].filter((list) => list.length >= FEWEST);
  STORIES.set(shown, found);
  return found;
}

/** Each page is asked for its stories ten times or more. */
const STORIES = new WeakMap<object, PageStory[][]>();
