import type { Random } from '../newspaper/random.ts';
import { type DraftBlock, leavesOf } from './draft-layout.ts';
import { drawLeaf, NEWS_PAGE } from './make-layout.ts';

export interface StructureEdit {
  readonly op: 'insert' | 'delete' | 'move' | 'split' | 'merge';
  readonly from: readonly DraftBlock[];
  readonly to: readonly DraftBlock[];
}

/**
 * Edits whole leaves: each sort of edit at the given rate, at least once where there is room. No two edits touch
 * neighbours: a block deleted beside one that is inserted would be, by definition, one with new content.
 */
export function editBlocks(root: DraftBlock, rate: number, random: Random): StructureEdit[] {
  const edits: StructureEdit[] = [];
  const leaves = leavesOf(root);
  const free = new Set(leaves.map((_, i) => i));
  const parents = new Map<DraftBlock, DraftBlock>();
  const visit = (block: DraftBlock): void => {
    for (const child of block.blocks) {
      parents.set(child, block);
      visit(child);
    }
  };
  visit(root);
  const take = (fits: (leaf: DraftBlock, i: number) => boolean): number | undefined => {
    const candidates = [...free].filter((i) => fits(leaves[i] as DraftBlock, i));
    if (candidates.length === 0) return undefined;
    const i = random.pick(candidates);
    for (let near = i - 2; near <= i + 2; near++) free.delete(near);
    return i;
  };
  const siblings = (leaf: DraftBlock): DraftBlock[] => parents.get(leaf)?.blocks ?? [];
  const content = (leaf: DraftBlock): number => leaf.links.length + leaf.images.length + leaf.texts.length;
  for (let round = Math.max(1, Math.round(rate * leaves.length)); round > 0; round--) {
    for (const op of ['insert', 'delete', 'split', 'merge', 'move'] as const) {
      const i = take((leaf, at) => {
        const among = siblings(leaf);
        if (op === 'split') return content(leaf) >= 6;
        if (op === 'merge') {
          const next = leaves[at + 1];
          if (!next || !among.includes(next)) return false;
          const share = content(leaf) / (content(leaf) + content(next));
          return content(leaf) + content(next) >= 6 && share > 0.25 && share < 0.75;
        }
        return among.length > 1 && content(leaf) > 2;
      });
      if (i === undefined) continue;
      edits.push(edit(op, leaves, i, parents, random));
    }
  }
  return edits;
}

function edit(
  op: StructureEdit['op'],
  leaves: readonly DraftBlock[],
  i: number,
  parents: Map<DraftBlock, DraftBlock>,
  random: Random,
): StructureEdit {
  const leaf = leaves[i] as DraftBlock;
  const among = parents.get(leaf)?.blocks ?? [];
  const at = among.indexOf(leaf);
  switch (op) {
    case 'insert': {
      const fresh = drawLeaf(random, NEWS_PAGE);
      fresh.box = [leaf.box[0], leaf.box[1] + leaf.box[3], leaf.box[2], fresh.box[3]];
      fresh.importance = leaf.importance;
      among.splice(at + 1, 0, fresh);
      return { op, from: [], to: [fresh] };
    }
    case 'delete':
      among.splice(at, 1);
      return { op, from: [leaf], to: [] };
    case 'split': {
      const half = <T>(list: readonly T[], second: boolean): T[] => {
        const middle = Math.ceil(list.length / 2);
        return second ? list.slice(middle) : list.slice(0, middle);
      };
      const parts = [false, true].map((second): DraftBlock => {
        const [x, y, width, height] = leaf.box;
        const box: DraftBlock['box'] = [x, second ? y + height / 2 : y, width, height / 2];
        return {
          ...leaf,
          box,
          importance: leaf.importance / 2,
          links: half(leaf.links, second),
          images: half(leaf.images, second),
          texts: half(leaf.texts, second),
        };
      });
      among.splice(at, 1, ...parts);
      return { op, from: [leaf], to: parts };
    }
    case 'merge': {
      const next = leaves[i + 1] as DraftBlock;
      const whole: DraftBlock = {
        ...leaf,
        importance: leaf.importance + next.importance,
        links: [...leaf.links, ...next.links],
        images: [...leaf.images, ...next.images],
        texts: [...leaf.texts, ...next.texts],
      };
      among.splice(among.indexOf(next), 1);
      among.splice(at, 1, whole);
      return { op, from: [leaf, next], to: [whole] };
    }
    case 'move': {
      // To the end of the page, past more blocks than it weighs itself, so that it is the one that moved.
      among.splice(at, 1);
      const last = parents.get(leaves.at(-1) as DraftBlock) as DraftBlock;
      last.blocks.push(leaf);
      return { op, from: [leaf], to: [leaf] };
    }
  }
}
