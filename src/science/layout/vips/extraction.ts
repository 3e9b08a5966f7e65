/**
 * Visual block extraction (Cai et al. 2003, §4.1, procedure DivideDomtree), without recursion: pages nest thousands
 * of nodes deep.
 */
import { COHERENCE, docBySize, judge, type NodeQuestion } from './rules.ts';
import type { VipsTree } from './visual-tree.ts';

/** One entry of the paper's block pool. */
export interface VisualBlock {
  readonly node: number;
  readonly doc: number;
}

export interface ExtractionRound {
  /** Relative area: see `NodeQuestion`. */
  readonly threshold: number;
  /** Square pixels. */
  readonly pageArea: number;
}

/** The pool of the block formed by this subtree, in document order. */
export function extractBlocks(tree: VipsTree, root: number, round: ExtractionRound): VisualBlock[] {
  const pool: VisualBlock[] = [];
  const divided = new Map<number, boolean>();
  const pinned = new Set<number>();
  // Rule 3 is meant for what the block shows: it is not spent on a wrapper, which rule 2 divides anyway.
  const start = tree.core[root] ?? root;
  const stack = [{ node: start, previous: -1 }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, previous } = next;
    const question: NodeQuestion = {
      tree,
      node,
      onlyRoot: node === start,
      // A wrapper is always divided (rule 2): what counts is whether its content was.
      previousSiblingDivided: divided.get(tree.core[previous] ?? previous) ?? divided.get(previous),
      ...round,
    };
    const { verdict } = judge(question);
    divided.set(node, verdict.action === 'divide' && !pinned.has(node));
    if (verdict.action === 'cut') continue;
    if (verdict.action === 'divide' && !pinned.has(node)) {
      for (const child of verdict.pinned ?? []) pinned.add(child);
      const children = tree.children[node] ?? [];
      for (let i = children.length - 1; i >= 0; i--) {
        stack.push({ node: children[i] ?? node, previous: i > 0 ? (children[i - 1] ?? -1) : -1 });
      }
    } else {
      const doc = verdict.action === 'keep' ? verdict.doc : docBySize(question);
      pool.push({ node, doc: pinned.has(node) ? Math.max(COHERENCE.pinnedAtLeast, Math.min(8, doc)) : doc });
    }
  }
  return pool;
}
