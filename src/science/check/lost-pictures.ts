import type { PageSnapshot, SnapshotElement } from '../../model/page-snapshot.ts';

/** Elements that show what their source holds. */
const SHOWING = new Set(['img', 'iframe', 'frame', 'embed', 'object', 'video', 'input']);
/** How much less a screen further down counts: half as much on the second, a third on the third … */
const atScreen = (screen: number): number => 1 / (1 + Math.max(0, screen));

/**
 * How much of the page each of these sources showed, in [0, 1]: its area in windows, less the further down it is. A source that
 * no element names (a background, a script) has none.
 */
export function shownBy(sources: ReadonlySet<string>, live: PageSnapshot): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const node of live.nodes) {
    if (node.kind !== 'element' || !SHOWING.has(node.tag)) continue;
    const source = sourceOf(node);
    if (source === undefined || !sources.has(source)) continue;
    shares.set(source, Math.min(1, (shares.get(source) ?? 0) + areaOf(node, live)));
  }
  return shares;
}

/** The URL as requested: without a fragment. */
const sourceOf = ({ attributes: { src, data } }: SnapshotElement): string | undefined =>
  (src ?? data)?.split('#', 1)[0];

function areaOf({ box: [, y, width, height] }: SnapshotElement, { viewport }: PageSnapshot): number {
  const windows = (Math.max(0, width) * Math.max(0, height)) / (viewport.width * viewport.height);
  return Math.min(1, windows) * atScreen(Math.floor(y / viewport.height));
}
