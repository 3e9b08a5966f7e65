/**
 * What pages made from one template have in common: the paths from the root of the tree to its elements, by tag and
 * class. Texts, links and how often a row is repeated do not count, nor do deep elements, where articles differ.
 */
import type { HtmlTree } from '../../model/html-tree.ts';

/** Longest path, in elements. */
const DEPTH = 8;
/** Most paths per page; a page with more was not made from any real template. */
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

/** The paths that all pages share; empty for no pages. */
export function commonSkeleton(pages: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first, ...others] = pages;
  return new Set([...(first ?? [])].filter((way) => others.every((page) => page.has(way))));
}

/** A page with fewer elements resembles any other. */
const LEAST = 8;

/** |A ∩ B| ÷ |A ∪ B|; 0 where either is too small to judge. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size < LEAST || b.size < LEAST) return 0;
  let both = 0;
  for (const way of a) if (b.has(way)) both++;
  return both / (a.size + b.size - both);
}
