/** Pages without structure: shows growth worse than linear where nothing tells the parts apart. */
import { type DraftBlock, draftOf, finishLayout, leavesOf } from '../src/lab/layout-edits/draft-layout.ts';
import type { Layout } from '../src/model/layout.ts';

const rootOf = (blocks: DraftBlock[]): DraftBlock => ({
  box: [0, 0, 0, 0],
  doc: 1,
  importance: 0,
  links: [],
  images: [],
  texts: [],
  blocks,
});

/** The leaves of one or more pages, as siblings in one column, page below page. */
export function flatPage(pages: readonly Layout[]): Layout {
  const [first] = pages;
  if (!first) throw new RangeError('a flat page is made of at least one');
  const { root: _blocks, memory: _own, ...head } = first;
  let y = 0;
  const leaves = pages.flatMap((page) => leavesOf(draftOf(page.root)));
  for (const leaf of leaves) {
    leaf.box = [0, y, leaf.box[2], leaf.box[3]];
    y += leaf.box[3];
  }
  return finishLayout(head, rootOf(leaves)).layout;
}

/** Everything a page shows, as one block. */
export function onePieceOf({ root, memory: _own, ...head }: Layout): Layout {
  const leaves = leavesOf(draftOf(root));
  const whole: DraftBlock = {
    ...rootOf([]),
    box: root.box,
    importance: 1,
    links: leaves.flatMap(({ links }) => links),
    images: leaves.flatMap(({ images }) => images),
    texts: leaves.flatMap(({ texts }) => texts),
  };
  return finishLayout(head, rootOf([whole])).layout;
}
