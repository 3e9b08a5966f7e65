import { ELEMENT_KINDS, type ElementKind, type PageElement } from '../../model/delta.ts';
import type { Block } from '../../model/layout.ts';
import type { PageSnapshot } from '../../model/page-snapshot.ts';
import type { PlacedLayout } from '../../science/layout/layout-of.ts';
import { leavesIn } from '../../science/layout/segment-leaves.ts';
import { MARK } from './source-html.ts';

/** An element of a layout and the HTML element that shows it. */
export interface VisibleElement {
  readonly kind: ElementKind;
  readonly value: PageElement;
  /** Ref of its leaf, and which leaf that is in reading order. */
  readonly leaf: string;
  readonly leafIndex: number;
  /** -1 for an element made by a script. */
  readonly mark: number;
  /** Kind, mark, and its number within that mark: the same thing in another version of the page has the same key. */
  readonly key: string;
}

/** In reading order. */
export function shownElements({ layout, places }: PlacedLayout, snapshot: PageSnapshot): VisibleElement[] {
  const marks = marksOf(snapshot);
  const counts = new Map<string, number>();
  return leavesIn(layout.root, ({ blocks }) => blocks).flatMap((block, leafIndex) => {
    const place = places.get(block.ref);
    return ELEMENT_KINDS.flatMap((kind) =>
      listOf(block, kind).map((value, i): VisibleElement => {
        const node = place?.[`${kind}s`][i] ?? -1;
        const mark = marks[node] ?? -1;
        const nth = counts.get(`${kind} ${mark}`) ?? 0;
        counts.set(`${kind} ${mark}`, nth + 1);
        return { kind, value, leaf: block.ref, leafIndex, mark, key: `${kind} ${mark} ${nth}` };
      }),
    );
  });
}

export const listOf = (block: Block, kind: ElementKind): readonly PageElement[] =>
  kind === 'link' ? block.links : kind === 'image' ? block.images : block.texts;

/** For each node of a snapshot, its own mark, or that of the nearest marked element around it. */
function marksOf({ nodes }: PageSnapshot): Int32Array {
  const marks = new Int32Array(nodes.length).fill(-1);
  nodes.forEach((node, i) => {
    const own = node.kind === 'element' ? node.attributes[MARK] : undefined;
    marks[i] = own !== undefined ? Number(own) : node.parent >= 0 ? (marks[node.parent] as number) : -1;
  });
  return marks;
}
