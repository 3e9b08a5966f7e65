import type { PageSnapshot, SnapshotElement } from '../../model/page-snapshot.ts';

/**
 * The position of an element in a snapshot, as tags and their numbers among siblings of the same tag:
 * `div[2]/main/a[3]`, without the root. The first of its tag has no number.
 */
export function snapshotPath(snapshot: PageSnapshot, node: number): string {
  const steps: string[] = [];
  for (let i = node; i > 0; i = parentOf(snapshot, i)) {
    const { tag } = snapshot.nodes[i] as SnapshotElement;
    const place = childrenOf(snapshot, parentOf(snapshot, i), tag).indexOf(i);
    steps.unshift(place === 0 ? tag : `${tag}[${place + 1}]`);
  }
  return steps.join('/');
}

/** The element at such a path; undefined if there is none. */
export function nodeAt(snapshot: PageSnapshot, path: string): number | undefined {
  let node: number | undefined = 0;
  for (const step of path === '' ? [] : path.split('/')) {
    const [, tag = '', place = '1'] = /^([^[]+)(?:\[(\d+)\])?$/u.exec(step) ?? [];
    node = childrenOf(snapshot, node, tag)[Number(place) - 1];
    if (node === undefined) return undefined;
  }
  return node;
}

const parentOf = (snapshot: PageSnapshot, node: number): number => snapshot.nodes[node]?.parent ?? -1;

function childrenOf({ nodes }: PageSnapshot, parent: number, tag: string): number[] {
  const found: number[] = [];
  // Children come after their parent, and before any node outside it: the walk could stop there, but with few paths it need
  // not.
  for (let i = parent + 1; i < nodes.length; i++) {
    const node = nodes[i];
    if (node?.kind === 'element' && node.parent === parent && node.tag === tag) found.push(i);
  }
  return found;
}
