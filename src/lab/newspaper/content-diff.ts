/**
 * The changes between two contents of one page, with their importance.
 *
 * importance = weight of the block × factor of the operation × share of the block's elements of that kind that
 * it concerns (1 of old ∪ new), as in the archive's own measure; never from rendering or guessing.
 */
import type { ContentBlock, Item, NewsContent } from './content.ts';

export type ChangeKind = 'insert' | 'delete' | 'update' | 'move';
export type ContentKind = 'block' | 'link' | 'text' | 'image';

export interface ContentChange {
  readonly kind: ChangeKind;
  readonly element: ContentKind;
  /** The block it happens in; for a move, the block it ends in. */
  readonly block: string;
  /** 0..1 */
  readonly importance: number;
  readonly before?: string;
  readonly after?: string;
  /** For a move between blocks. */
  readonly fromBlock?: string;
  /** Set on ad rotations only; they have importance 0. */
  readonly advertisement?: true;
}

export const OPERATION_WEIGHT = { insert: 1, delete: 0.8, update: 0.6, move: 0.25 } as const;
/** A new order within one block is hardly noticed. */
const REORDER = 0.05;

type Facet = 'link' | 'text' | 'label' | 'image';
const FACETS: readonly Facet[] = ['link', 'text', 'label', 'image'];
const elementOf = (facet: Facet): ContentKind => (facet === 'label' ? 'text' : facet);

function show(item: Item, facet: Facet): string | undefined {
  switch (facet) {
    case 'link':
      return item.link && `${item.link.text} <${item.link.href}>`;
    case 'image':
      return item.image && `${item.image.alt} <${item.image.src}>`;
    default:
      return item[facet];
  }
}

/** Keys common to both orders that are out of sequence: all except a longest increasing run. */
export function displaced(before: readonly string[], after: readonly string[]): string[] {
  const place = new Map(before.map((key, i) => [key, i]));
  const common = after.filter((key) => place.has(key));
  const places = common.map((key) => place.get(key) as number);
  if (places.every((p, i) => i === 0 || p > (places[i - 1] as number))) return [];
  const length: number[] = [];
  const previous: number[] = [];
  let best = 0;
  for (let i = 0; i < places.length; i++) {
    length[i] = 1;
    previous[i] = -1;
    for (let j = 0; j < i; j++) {
      if (
        (places[j] as number) < (places[i] as number) &&
        (length[j] as number) + 1 > (length[i] as number)
      ) {
        length[i] = (length[j] as number) + 1;
        previous[i] = j;
      }
    }
    if ((length[i] as number) > (length[best] as number)) best = i;
  }
  const kept = new Set<string>();
  for (let i = best; i >= 0; i = previous[i] as number) kept.add(common[i] as string);
  return common.filter((key) => !kept.has(key));
}

const sameLink = (a: Item['link'], b: Item['link']): boolean =>
  a === b || (a !== undefined && b !== undefined && a.href === b.href && a.text === b.text);
const sameImage = (a: Item['image'], b: Item['image']): boolean =>
  a === b || (a !== undefined && b !== undefined && a.src === b.src && a.alt === b.alt);

// Hot path: most items are the very same object as before, since pages share them.
const sameItem = (a: Item, b: Item): boolean =>
  a === b ||
  (a.text === b.text && a.label === b.label && sameLink(a.link, b.link) && sameImage(a.image, b.image));

function sameBlock(a: ContentBlock, b: ContentBlock): boolean {
  if (a === b) return true;
  if (a.heading !== b.heading || a.items.length !== b.items.length) return false;
  return a.items.every((item, i) => item.key === b.items[i]?.key && sameItem(item, b.items[i] as Item));
}

const optional = (before?: string, after?: string): { before?: string; after?: string } => ({
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});

interface Place {
  readonly block: string;
  readonly item: Item;
}

/** Items that a block has here but not in the other content: those that left, or those that arrived. */
function oneSided(
  blocks: readonly ContentBlock[],
  others: ReadonlyMap<string, ContentBlock>,
  differing: ReadonlySet<string>,
): Map<string, Place> {
  const found = new Map<string, Place>();
  for (const block of blocks) {
    if (!differing.has(block.id)) continue;
    const other = others.get(block.id);
    const keys = new Set(other?.items.map(({ key }) => key));
    for (const item of block.items) {
      if (!keys.has(item.key) && !found.has(item.key)) found.set(item.key, { block: block.id, item });
    }
  }
  return found;
}

function diffBlock(
  old: ContentBlock,
  now: ContentBlock,
  left: ReadonlyMap<string, Place>,
  came: ReadonlyMap<string, Place>,
): ContentChange[] {
  const changes: ContentChange[] = [];
  const oldItems = new Map(old.items.map((item) => [item.key, item]));
  const newItems = new Map(now.items.map((item) => [item.key, item]));
  const union = new Set([...oldItems.keys(), ...newItems.keys()]);
  const size = (facet: Facet): number => {
    let n = 0;
    for (const key of union) {
      if (newItems.get(key)?.[facet] !== undefined || oldItems.get(key)?.[facet] !== undefined) n++;
    }
    return Math.max(1, n);
  };
  const add = (kind: ChangeKind, facet: Facet, factor: number, detail: Partial<ContentChange>): void => {
    const importance = (now.weight * factor) / size(facet);
    changes.push({ kind, element: elementOf(facet), block: now.id, importance, ...detail });
  };

  if (old.heading !== now.heading) {
    add('update', 'label', OPERATION_WEIGHT.update, optional(old.heading, now.heading));
  }
  for (const key of union) {
    const a = oldItems.get(key);
    const b = newItems.get(key);
    if (a && b) {
      if (sameItem(a, b)) continue;
      for (const facet of FACETS) {
        const [before, after] = [show(a, facet), show(b, facet)];
        if (before === after) continue;
        const kind = before === undefined ? 'insert' : after === undefined ? 'delete' : 'update';
        add(kind, facet, OPERATION_WEIGHT[kind], optional(before, after));
      }
      continue;
    }
    if (b) {
      const origin = left.get(key);
      const movedIn = origin && came.get(key)?.block === now.id;
      for (const facet of FACETS) {
        const after = show(b, facet);
        if (after === undefined) continue;
        const before = movedIn ? show(origin.item, facet) : undefined;
        if (movedIn && before !== undefined) {
          add('move', facet, OPERATION_WEIGHT.move, { ...optional(before, after), fromBlock: origin.block });
        } else add('insert', facet, OPERATION_WEIGHT.insert, { after });
      }
    } else if (a) {
      const target = came.get(key);
      const movedOut = target && left.get(key)?.block === now.id;
      for (const facet of FACETS) {
        const before = show(a, facet);
        if (before === undefined || (movedOut && show(target.item, facet) !== undefined)) continue;
        add('delete', facet, OPERATION_WEIGHT.delete, { before });
      }
      // Everything it showed left with it: the move is listed in the other block's changes.
    }
  }
  const order = displaced(
    old.items.map(({ key }) => key),
    now.items.map(({ key }) => key),
  );
  for (const key of order) {
    const item = newItems.get(key) as Item;
    const facet = FACETS.find((f) => show(item, f) !== undefined) ?? 'text';
    add('move', facet, REORDER, { ...optional(show(item, facet), show(item, facet)), fromBlock: now.id });
  }
  return changes;
}

const summary = (block: ContentBlock): string => {
  const first = block.items[0];
  return block.heading ?? first?.link?.text ?? first?.text ?? first?.label ?? block.id;
};

export function diffContent(old: NewsContent, now: NewsContent): ContentChange[] {
  const changes: ContentChange[] = [];
  const oldBlocks = new Map(old.blocks.map((block) => [block.id, block]));
  const newBlocks = new Map(now.blocks.map((block) => [block.id, block]));
  if (old.title !== now.title) {
    // The title element is no block; the change shows in the tab and in lists of pages.
    changes.push({
      kind: 'update',
      element: 'text',
      block: 'title',
      importance: 0.1,
      before: old.title,
      after: now.title,
    });
  }
  const differing = new Set<string>();
  for (const id of new Set([...oldBlocks.keys(), ...newBlocks.keys()])) {
    const [a, b] = [oldBlocks.get(id), newBlocks.get(id)];
    if (!a || !b || !sameBlock(a, b)) differing.add(id);
  }
  const left = oneSided(old.blocks, newBlocks, differing);
  const came = oneSided(now.blocks, oldBlocks, differing);
  for (const block of now.blocks) {
    if (!differing.has(block.id)) continue;
    const before = oldBlocks.get(block.id);
    if (before) changes.push(...diffBlock(before, block, left, came));
    else {
      const importance = block.weight * OPERATION_WEIGHT.insert;
      changes.push({ kind: 'insert', element: 'block', block: block.id, importance, after: summary(block) });
    }
  }
  for (const block of old.blocks) {
    if (newBlocks.has(block.id)) continue;
    const importance = block.weight * OPERATION_WEIGHT.delete;
    changes.push({ kind: 'delete', element: 'block', block: block.id, importance, before: summary(block) });
  }
  for (const id of displaced([...oldBlocks.keys()], [...newBlocks.keys()])) {
    const block = newBlocks.get(id) as ContentBlock;
    changes.push({
      kind: 'move',
      element: 'block',
      block: id,
      importance: block.weight * OPERATION_WEIGHT.move,
    });
  }
  return changes;
}

/** Several changes together: 1 − Π(1 − importance), so that further changes never lower it and it stays in [0, 1]. */
export function combined(changes: readonly ContentChange[]): number {
  return 1 - changes.reduce((rest, { importance }) => rest * (1 - Math.min(1, importance)), 1);
}
