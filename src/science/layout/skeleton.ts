/**
 * What pages made from one template have in common: the ways from the root of the tree to its elements, by tag and class.
 * Texts, links and how often a row is repeated do not count, nor does what lies deep, where articles differ.
 */
import type { HtmlTree } from '../../model/html-tree.ts';

/** Elements above one, itself included. */
const DEPTH = 8;
/** Ways of one page; a page with more is no page of a template that anybody made. */
const MOST = 2_000;

export function skeletonOf({ nodes }: HtmlTree): ReadonlySet<string> {
  const ways = new Set<string>();
  const wayOf: (string | undefined)[] = [];
  const depthOf: number[] = [];
  for (const [index, node] of nodes.entries()) {
    if (node.kind !== 'element' || ways.size >= MOST) continue;
    const depth = node.parent < 0 ? 1 : (depthOf[node.parent] ?? DEPTH) + 1;
    const above = node.parent < 0 ? '' : wayOf[node.parent];
    depthOf[index] = depth;
    if (above === undefined || depth > DEPTH) continue;
    const names = (node.attributes['class'] ?? '')
      .split(/\s+/)
      .filter((name) => name !== '' && !/\d/.test(name));
    const way = `${above}/${[node.tag, ...names.sort()].join('.')}`;
    wayOf[index] = way;
    ways.add(way);
  }
  return ways;
}

/** What all of them have; nothing of none. */
export function commonSkeleton(pages: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first, ...others] = pages;
  return new Set([...(first ?? [])].filter((way) => others.every((page) => page.has(way))));
}

/** A page of a few elements is like any other. */
const LEAST = 8;

/** |A ∩ B| ÷ |A ∪ B|; 0 where either is too small to tell. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size < LEAST || b.size < LEAST) return 0;
  let both = 0;
  for (const way of a) if (b.has(way)) both++;
  return both / (a.size + b.size - both);
}
