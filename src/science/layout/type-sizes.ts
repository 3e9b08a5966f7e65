import type { PageSnapshot } from '../../model/page-snapshot.ts';
import type { LeafContent } from './leaf-content.ts';

/**
 * The type sizes of the links and texts in a leaf block, from which to judge how much of a reader's attention they
 * draw. Kept with the block and not with each element: elements are compared by what they say, and one that moves to
 * another slot of the page is the same element.
 *
 * Written as runs of whole pixels, links first, then texts: `32 16*3` is a link of 32 and three of 16 pixels.
 */
export function typeSizes(snapshot: PageSnapshot, leaves: readonly LeafContent[]): string[] {
  const { nodes, styles } = snapshot;
  const isLink = new Uint8Array(nodes.length);
  for (const { nodes: read } of leaves) for (const link of read.links) isLink[link] = 1;
  /** The link a node is in. */
  const linkOf = new Int32Array(nodes.length).fill(-1);
  /** The largest type in a link: its headline, not the section's name above it. */
  const ofLink = new Float64Array(nodes.length);
  const sizeAt = (node: number): number => {
    const element = nodes[nodes[node]?.kind === 'text' ? (nodes[node]?.parent ?? -1) : node];
    return element?.kind === 'element' ? Math.round(styles[element.style]?.fontSize ?? 0) : 0;
  };
  nodes.forEach((node, i) => {
    linkOf[i] = isLink[i] === 1 ? i : node.parent >= 0 ? (linkOf[node.parent] as number) : -1;
    const link = linkOf[i] as number;
    if (link >= 0 && node.kind === 'text') ofLink[link] = Math.max(ofLink[link] as number, sizeAt(i));
  });
  return leaves.map(({ nodes: read }) =>
    inRuns([...read.links.map((link) => ofLink[link] || sizeAt(link)), ...read.texts.map(sizeAt)]),
  );
}

function inRuns(sizes: readonly number[]): string {
  const runs: string[] = [];
  for (let at = 0; at < sizes.length; ) {
    let end = at + 1;
    while (end < sizes.length && sizes[end] === sizes[at]) end++;
    runs.push(end - at === 1 ? `${sizes[at]}` : `${sizes[at]}*${end - at}`);
    at = end;
  }
  return runs.join(' ');
}

/** In pixels, for each link, then for each text; empty where unknown. */
export function readTypeSizes(written: string | undefined): number[] {
  if (!written) return [];
  return written.split(' ').flatMap((run) => {
    const [size, count = 1] = run.split('*').map(Number);
    return new Array<number>(count).fill(size ?? 0);
  });
}
