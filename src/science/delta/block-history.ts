import type { BlockCourse, PageCourse } from '../../model/change.ts';
import type { Block, Layout } from '../../model/layout.ts';
import { historyFactor } from '../layout/importance/block-importance.ts';

/**
 * How often each block of a page changed (Pehlivan et al. 2009 §6: "the more frequent a block is changing, the less
 * important it is"). Blocks are tracked from version to version through the deltas: a ref says only where a block is,
 * and a block inserted above shifts all that follow.
 */

/** Fewest later visits at which a block must have been seen before its past means anything. */
const FEWEST_VISITS = 4;

interface Past {
  /** Index of the first visit that showed the block. */
  readonly since: number;
  readonly changes: number;
}

/**
 * Share of later visits at which a block of the last version had changed, by ref; undefined while there are too few
 * visits.
 */
export function changeShares({ visits, changes }: PageCourse): (ref: string) => number | undefined {
  let past = new Map<string, Past>();
  const unseen: Past = { since: 0, changes: 0 };
  for (const { at, course } of changes) {
    // A change found by the first visit is relative to what came before it, which is out of scope.
    const visit = visits.indexOf(at);
    if (visit <= 0) continue;
    past = carriedOn(past, course, (ref) => past.get(ref) ?? unseen, { since: visit, changes: 0 });
    for (const ref of course.changed) {
      const { since, changes: before } = past.get(ref) ?? unseen;
      if (since < visit) past.set(ref, { since, changes: before + 1 });
    }
  }
  const last = visits.length - 1;
  return (ref) => {
    const { since, changes: count } = past.get(ref) ?? unseen;
    return last - since < FEWEST_VISITS ? undefined : count / (last - since);
  };
}

/** Carries what is known of one version's blocks over to the refs of the next. */
function carriedOn<T>(
  known: ReadonlyMap<string, T>,
  { renamed, came, went }: BlockCourse,
  of: (ref: string) => T,
  fresh: T,
): Map<string, T> {
  const next = new Map(known);
  const carried = renamed.map(([old, now]) => [now, of(old)] as const);
  for (const [old] of renamed) next.delete(old);
  for (const ref of went) next.delete(ref);
  for (const [ref, value] of carried) next.set(ref, value);
  for (const ref of came) next.set(ref, fresh);
  return next;
}

/** The shares of the old version's blocks, by the refs of the new one. New blocks have none. */
export function sharesAfter(
  shareOf: (ref: string) => number | undefined,
  { renamed, came }: BlockCourse,
): (ref: string) => number | undefined {
  const before = new Map(renamed.map(([old, now]) => [now, old]));
  const fresh = new Set(came);
  return (ref) => (fresh.has(ref) ? undefined : shareOf(before.get(ref) ?? ref));
}

/** The layout with the importance of its leaves adjusted for their past; they still add up to 1. */
export function weighedByPast(layout: Layout, shareOf: (ref: string) => number | undefined): Layout {
  const leaves = new Map<string, number>();
  let sum = 0;
  let isWeighed = false;
  const stack: Block[] = [layout.root];
  const order: Block[] = [];
  for (let block = stack.pop(); block; block = stack.pop()) {
    order.push(block);
    stack.push(...block.blocks);
    if (block.blocks.length > 0) continue;
    const factor = historyFactor(shareOf(block.ref));
    if (factor !== 1) isWeighed = true;
    leaves.set(block.ref, block.importance * factor);
    sum += block.importance * factor;
  }
  if (!isWeighed || sum <= 0) return layout;
  // Children before their parents, without recursion: a page may nest to any depth.
  const done = new Map<Block, Block>();
  for (const block of order.reverse()) {
    const blocks = block.blocks.map((child) => done.get(child) as Block);
    const importance =
      blocks.length === 0
        ? (leaves.get(block.ref) as number) / sum
        : blocks.reduce((total, child) => total + child.importance, 0);
    done.set(block, { ...block, blocks, importance });
  }
  return { ...layout, root: done.get(layout.root) as Block };
}
