/** From split decisions to a tree of segments. */
import type { Segment } from '../../../model/layout.ts';
import type { Box } from '../../../model/page-snapshot.ts';
import { runsOf } from './joins.ts';
import type { CutDecisions } from './memory.ts';
import { isShown, type PartFacts } from './part-facts.ts';
import { HOLDS_OVERLAY, OVERLAY, type VisualPart, type VisualTree } from './visual-tree.ts';

/** Top-down: a part is split if its parent is, and it has parts, and its log-odds of being split are positive. */
export function splitParts(parts: readonly VisualPart[], logOdds: ArrayLike<number>): Uint8Array {
  const split = new Uint8Array(parts.length);
  parts.forEach(({ parent, children }, index) => {
    const reached = parent < 0 || split[parent] === 1;
    if (reached && children.length > 0 && (logOdds[index] as number) > 0) split[index] = 1;
  });
  return split;
}

function boxOf(facts: readonly PartFacts[]): Box {
  const shown = facts.filter(isShown);
  if (shown.length === 0) return [0, 0, 0, 0];
  let { left, top, right, bottom } = shown[0] as PartFacts;
  for (const fact of shown) {
    left = Math.min(left, fact.left);
    top = Math.min(top, fact.top);
    right = Math.max(right, fact.right);
    bottom = Math.max(bottom, fact.bottom);
  }
  return [left, top, right - left, bottom - top];
}

/** Snapshot nodes of a part, without the overlays lifted out of it. */
function nodesOf({ lifted, links }: VisualTree, part: VisualPart): number[] {
  const found: number[] = [];
  for (const member of part.nodes) {
    const open = [member];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const flag = lifted[node] as number;
      if (flag & OVERLAY && node !== member) continue;
      if (!(flag & HOLDS_OVERLAY)) {
        found.push(node);
        continue;
      }
      const inside: number[] = [];
      for (let child = links.first[node] as number; child !== -1; child = links.next[child] as number) {
        inside.push(child);
      }
      while (inside.length > 0) open.push(inside.pop() as number);
    }
  }
  return found;
}

/** The root is the page, its children are the coarse blocks, overlays last; the leaves are the fine blocks. */
export function segmentsOf(tree: VisualTree, facts: readonly PartFacts[], decisions: CutDecisions): Segment {
  const { parts, overlays, snapshot } = tree;
  const { split, coarse, joined: readsOn, doc } = decisions;
  const made: Segment[] = [];
  const top: Segment[] = [];

  const joined = (run: readonly number[]): Segment =>
    run.length === 1
      ? (made[run[0] as number] as Segment)
      : {
          box: boxOf(run.map((index) => facts[index] as PartFacts)),
          doc: run.reduce((least, index) => Math.min(least, doc[index] as number), 11),
          nodes: run.flatMap((index) => (made[index] as Segment).nodes),
          segments: [],
        };

  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index] as VisualPart;
    if (part.parent >= 0 && split[part.parent] === 0) continue;
    const runs = split[index] === 1 ? runsOf(parts, readsOn, index) : [];
    if (coarse[index] === 1) {
      for (const run of runs) if (coarse[run[0] as number] === 0) top.push(joined(run));
      continue;
    }
    made[index] = {
      box: boxOf([facts[index] as PartFacts]),
      doc: doc[index] as number,
      nodes: nodesOf(tree, part),
      segments: runs.length > 1 ? runs.map(joined) : [],
    };
  }
  if (parts.length > 0 && coarse[0] === 0) top.push(made[0] as Segment);
  top.sort((a, b) => (a.nodes[0] as number) - (b.nodes[0] as number));
  const { width, height } = snapshot.page;
  return {
    box: [0, 0, width, height],
    doc: 1,
    nodes: parts.length > 0 ? [0] : [],
    segments: [...top, ...overlays.map((overlay) => made[overlay] as Segment)],
  };
}
