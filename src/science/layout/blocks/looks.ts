/** What a part shows of its own, and its landmark. */
import type { SnapshotElement, SnapshotStyle } from '../../../model/page-snapshot.ts';
import { draws, type VisualPart, type VisualTree } from './visual-tree.ts';

/** Landmarks that are one block by themselves. `main` and `form` are not: they often hold the whole page. */
const LANDMARKS = new Set(['header', 'nav', 'aside', 'footer', 'article']);
const LANDMARK_ROLES = new Set(['banner', 'navigation', 'complementary', 'contentinfo', 'article', 'search']);

export interface PartLook {
  /** Has a background, picture or border of its own. */
  readonly drawn: boolean;
  readonly background: string;
  readonly landmark: boolean;
}

export const looksOf = (tree: VisualTree): readonly PartLook[] =>
  tree.parts.map((part) => lookOf(tree, part));

function lookOf({ snapshot }: VisualTree, part: VisualPart): PartLook {
  let drawn = false;
  let background = '';
  let landmark = false;
  const members = part.shells.length > 0 ? part.shells : part.nodes;
  for (const index of members) {
    const node = snapshot.nodes[index];
    if (node?.kind !== 'element' || index === 0) continue;
    const style = snapshot.styles[node.style] as SnapshotStyle;
    if (draws(style)) drawn = true;
    background = style.background;
    if (isLandmark(node)) landmark = true;
  }
  return { drawn, background, landmark };
}

function isLandmark({ tag, attributes }: SnapshotElement): boolean {
  return attributes.role === undefined ? LANDMARKS.has(tag) : LANDMARK_ROLES.has(attributes.role);
}
