import type { Segment } from '../../src/model/layout.ts';
import type { PageSnapshot, SnapshotElement } from '../../src/model/page-snapshot.ts';
import { blockFeatures } from '../../src/science/layout/importance/block-features.ts';

/**
 * Blocks that people marked on pages (`data-block`, `data-block-type`), as samples to learn importance from. The
 * four levels follow Song et al. 2004: 1 noise, 2 useful but not about the page, 3 relevant, 4 the main matter.
 */
export const LEVELS = 4;

const LEVEL_OF_TYPE: Readonly<Record<string, number>> = {
  Ad: 1,
  Footer: 1,
  Menu: 2,
  Header: 2,
  Searchbar: 2,
  Search: 2,
  Logo: 2,
  Sidebar: 3,
  LinkList: 3,
  Comments: 3,
  Image: 3,
  Video: 3,
  Table: 3,
  Article: 4,
  Content: 4,
  Title: 4,
  Author: 4,
};

export interface Sample {
  readonly site: string;
  readonly type: string;
  /** 0 to 3: level 1 to 4. */
  readonly label: number;
  readonly features: readonly number[];
}

/** Innermost marks only: leaf blocks are what the model weighs; a mark around others says what is around. */
export function annotatedSamples(site: string, snapshot: PageSnapshot): Sample[] {
  const { nodes } = snapshot;
  const holdsMarks = new Uint8Array(nodes.length);
  for (let i = nodes.length - 1; i > 0; i--) {
    const node = nodes[i];
    if (node && node.parent >= 0 && (holdsMarks[i] === 1 || typeOf(node) !== undefined))
      holdsMarks[node.parent] = 1;
  }
  const marked = nodes.flatMap((node, i) => {
    const type = typeOf(node);
    return type !== undefined && holdsMarks[i] === 0 ? [{ node: i, type }] : [];
  });
  const segments = marked.map(({ node }): Segment => {
    const { box } = nodes[node] as SnapshotElement;
    return { box, doc: 10, nodes: [node], segments: [] };
  });
  return blockFeatures(snapshot, segments).map((features, i) => {
    const { type } = marked[i] as { type: string };
    return { site, type, label: (LEVEL_OF_TYPE[type] as number) - 1, features };
  });
}

function typeOf(node: PageSnapshot['nodes'][number]): string | undefined {
  const type = node.kind === 'element' ? node.attributes['data-block-type'] : undefined;
  return type !== undefined && LEVEL_OF_TYPE[type] !== undefined ? type : undefined;
}
