import type { LayoutHead } from '../../model/delta.ts';
import type { Block, ImageElement, Layout, LinkElement, TextElement } from '../../model/layout.ts';
import type { Box } from '../../model/page-snapshot.ts';
import { innerId, leafId } from '../../science/layout/layout-of.ts';

/** A block that can still be edited; refs, ids, inner boxes and shares of importance are set at the end. */
export interface DraftBlock {
  box: Box;
  doc: number;
  importance: number;
  links: LinkElement[];
  images: ImageElement[];
  texts: TextElement[];
  blocks: DraftBlock[];
}

export const draftOf = (block: Block): DraftBlock => ({
  box: block.box,
  doc: block.doc,
  importance: block.importance,
  links: [...block.links],
  images: [...block.images],
  texts: [...block.texts],
  blocks: block.blocks.map(draftOf),
});

export function leavesOf(block: DraftBlock): DraftBlock[] {
  return block.blocks.length === 0 ? [block] : block.blocks.flatMap(leavesOf);
}

export interface FinishedLayout {
  readonly layout: Layout;
  readonly refs: ReadonlyMap<DraftBlock, string>;
}

export function finishLayout(head: LayoutHead, root: DraftBlock): FinishedLayout {
  const leaves = leavesOf(root);
  const total = leaves.reduce((sum, leaf) => sum + leaf.importance, 0);
  const refs = new Map<DraftBlock, string>();
  const finish = (draft: DraftBlock, ref: string): Block => {
    refs.set(draft, ref);
    const blocks = draft.blocks.map((child, i) => finish(child, `${ref}.${i + 1}`));
    const { doc, links, images, texts } = draft;
    if (blocks.length === 0) {
      const importance = total > 0 ? draft.importance / total : 1 / leaves.length;
      const id = leafId(links, images, texts);
      return { ref, id, box: draft.box, doc, importance, links, images, texts, blocks };
    }
    const importance = blocks.reduce((sum, block) => sum + block.importance, 0);
    const box = around(blocks.map((block) => block.box));
    return { ref, id: innerId(blocks), box, doc, importance, links, images, texts, blocks };
  };
  return { layout: { ...head, root: finish(root, 'B1') }, refs };
}

function around(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map((box) => box[0]));
  const top = Math.min(...boxes.map((box) => box[1]));
  const right = Math.max(...boxes.map((box) => box[0] + box[2]));
  const bottom = Math.max(...boxes.map((box) => box[1] + box[3]));
  return [left, top, right - left, bottom - top];
}
