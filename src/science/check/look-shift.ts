import type { PageSnapshot, SnapshotStyle, SnapshotText } from '../../model/page-snapshot.ts';

/**
 * How much of a page's text looks different, in [0, 1]: of the characters present on both sides, the share whose type (size,
 * weight, colour, background), width or column differs. How far down a text is does not count: one missing picture
 * moves everything below it, and is reported by itself. A page that lost its style sheet has nearly 1. O(n) in the nodes.
 */
export function lookShift(live: PageSnapshot, shown: PageSnapshot): number {
  const there = new Map<string, SnapshotText[]>();
  for (const node of shown.nodes)
    if (node.kind === 'text') {
      const known = there.get(node.text);
      if (known) known.push(node);
      else there.set(node.text, [node]);
    }
  let common = 0;
  let shifted = 0;
  for (const node of live.nodes) {
    if (node.kind !== 'text') continue;
    // In document order: the first of several equal texts is matched with the first.
    const other = there.get(node.text)?.shift();
    if (!other) continue;
    common += node.text.length;
    if (isOther(node, other, live, shown)) shifted += node.text.length;
  }
  return common === 0 ? 0 : shifted / common;
}

/** Differences from which on a reader notices: share of the window's width, ratio of two widths, ratio of two type sizes. */
const ANOTHER = { column: 0.04, width: 1.25, size: 1.1 } as const;

function isOther(a: SnapshotText, b: SnapshotText, live: PageSnapshot, shown: PageSnapshot): boolean {
  const [xA, , widthA] = a.box;
  const [xB, , widthB] = b.box;
  if (Math.abs(xA - xB) > ANOTHER.column * live.viewport.width) return true;
  if (
    ratio(widthA, widthB) > ANOTHER.width &&
    Math.abs(widthA - widthB) > ANOTHER.column * live.viewport.width
  )
    return true;
  const [one, other] = [styleOf(a, live), styleOf(b, shown)];
  if (!one || !other) return false;
  return (
    ratio(one.fontSize, other.fontSize) > ANOTHER.size ||
    one.fontWeight !== other.fontWeight ||
    one.color !== other.color ||
    one.background !== other.background
  );
}

const ratio = (a: number, b: number): number => (Math.min(a, b) <= 0 ? 1 : Math.max(a, b) / Math.min(a, b));

function styleOf({ parent }: SnapshotText, { nodes, styles }: PageSnapshot): SnapshotStyle | undefined {
  const element = nodes[parent];
  return element?.kind === 'element' ? styles[element.style] : undefined;
}
