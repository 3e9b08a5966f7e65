/**
 * When a DOM node is one visual block and when it is divided: the 13 rules of VIPS (Cai et al. 2003, §4.1, Table 1) and
 * which of them are asked for which nodes (Table 2). The first to answer wins.
 *
 * The paper leaves open the thresholds and the degrees of coherence "based on the tag and size"; here they are in one
 * table, `COHERENCE`, and `threshold` is the round's.
 */
import { isTextual, type NodeRole, styleOf, tagOf } from './node-kinds.ts';
import { backgroundOf, type VipsTree } from './visual-tree.ts';

export type VipsVerdict =
  | { readonly action: 'cut' }
  /** `pinned`: children that stay whole this round, whatever their rules say. */
  | { readonly action: 'divide'; readonly pinned?: readonly number[] }
  | { readonly action: 'keep'; readonly doc: number };

/** What a rule may look at. */
export interface NodeQuestion {
  readonly tree: VipsTree;
  readonly node: number;
  /** The block being extracted consists of this node's subtree alone. */
  readonly onlyRoot: boolean;
  /** Area of a node relative to the page's, below which it tends to stay whole; shrinks each round. */
  readonly threshold: number;
  /** Square pixels. */
  readonly pageArea: number;
  readonly previousSiblingDivided: boolean | undefined;
}

type Rule = (question: NodeQuestion) => VipsVerdict | undefined;

export const COHERENCE = {
  /** Nothing left to divide. */
  atom: 11,
  /** Rule 4. */
  oneFont: 10,
  fonts: 9,
  /** Rules 8, 10, 13: by relative area, the first that is not below it. */
  bySize: [
    { atLeast: 0.5, doc: 3 },
    { atLeast: 0.25, doc: 5 },
    { atLeast: 0.1, doc: 6 },
    { atLeast: 0.02, doc: 7 },
    { atLeast: 0, doc: 8 },
  ],
  /** Rule 9: 5-8. */
  byRole: { inline: 8, cell: 7, row: 6, table: 5, other: 6 },
  /** Rule 8: 6-8. */
  pinnedAtLeast: 6,
} as const;

const CUT: VipsVerdict = { action: 'cut' };
const DIVIDE: VipsVerdict = { action: 'divide' };
const keep = (doc: number): VipsVerdict => ({ action: 'keep', doc });

/** Rule 1: not text, and no valid child: cut. Children that would all be cut themselves do not count. */
const nothingToShow: Rule = ({ tree, node }) => (tree.hasContent[node] ? undefined : CUT);

/** Rule 2: one valid child that is not text: divide. */
const wrapsOneNode: Rule = ({ tree, node }) => {
  const children = childrenOf(tree, node);
  const [child] = children;
  return child !== undefined && children.length === 1 && tree.kind[child] !== 'text' ? DIVIDE : undefined;
};

/** Rule 3: root of the block's only subtree: divide. */
const rootOfOnlySubtree: Rule = ({ onlyRoot }) => (onlyRoot ? DIVIDE : undefined);

/** Rule 4: only text and virtual text: whole, and more coherent if in one font. */
const onlyText: Rule = ({ tree, node }) =>
  childrenOf(tree, node).every((child) => isTextual(tree.kind[child]))
    ? keep(tree.oneFont[node] ? COHERENCE.oneFont : COHERENCE.fonts)
    : undefined;

/** Rule 5: a child breaks the line: divide. */
const breaksLine: Rule = ({ tree, node }) =>
  childrenOf(tree, node).some((child) => tree.kind[child] === 'line-break') ? DIVIDE : undefined;

/** Rule 6: a child is an HR: divide. */
const hasRuler: Rule = ({ tree, node }) =>
  childrenOf(tree, node).some((child) => tagOf(tree.snapshot, tree.core[child] ?? child) === 'hr')
    ? DIVIDE
    : undefined;

/** Rule 7: the children are larger than the node: divide. Half a pixel of rounding a side is no overflow. */
const childrenOverflow: Rule = ({ tree, node }) => {
  let sum = 0;
  for (const child of childrenOf(tree, node)) sum += tree.boxArea[child] ?? 0;
  return sum > (tree.boxArea[node] ?? 0) * 1.001 + 1 ? DIVIDE : undefined;
};

/** Rule 8: children on another background: divide, and those children stay whole this round. */
const backgroundsDiffer: Rule = ({ tree, node }) => {
  const background = styleOf(tree.snapshot, node).background;
  const pinned = childrenOf(tree, node).filter((child) => backgroundOf(tree, child) !== background);
  return pinned.length > 0 ? { action: 'divide', pinned } : undefined;
};

/** Rule 9: holds text and is small: whole. */
const smallWithText: Rule = ({ tree, node, threshold, pageArea }) =>
  areaOf(tree, node) < threshold * pageArea &&
  childrenOf(tree, node).some((child) => isTextual(tree.kind[child]))
    ? keep(COHERENCE.byRole[tree.role[node] ?? 'other'])
    : undefined;

/** Rule 10: even the largest child is small: whole. Otherwise the later rules are asked. */
const smallChildren: Rule = (question) => {
  const { tree, node, threshold, pageArea } = question;
  return childrenOf(tree, node).every((child) => areaOf(tree, child) < threshold * pageArea)
    ? keep(docBySize(question))
    : undefined;
};

/** Rule 11: the previous sibling was not divided: whole. */
const likePreviousSibling: Rule = (question) =>
  question.previousSiblingDivided === false ? keep(docBySize(question)) : undefined;

/** Rule 12. */
const divideAnyway: Rule = () => DIVIDE;

/** Rule 13. */
const keepAnyway: Rule = (question) => keep(docBySize(question));

const RULES = {
  1: nothingToShow,
  2: wrapsOneNode,
  3: rootOfOnlySubtree,
  4: onlyText,
  5: breaksLine,
  6: hasRuler,
  7: childrenOverflow,
  8: backgroundsDiffer,
  9: smallWithText,
  10: smallChildren,
  11: likePreviousSibling,
  12: divideAnyway,
  13: keepAnyway,
} as const;

/** Table 2. */
export const RULES_BY_ROLE: Readonly<Record<NodeRole, readonly (keyof typeof RULES)[]>> = {
  inline: [1, 2, 3, 4, 5, 6, 7, 9, 10, 12],
  table: [1, 2, 3, 8, 10, 13],
  row: [1, 2, 3, 7, 8, 10, 13],
  cell: [1, 2, 3, 4, 9, 10, 11, 13],
  other: [1, 2, 3, 4, 6, 7, 9, 10, 12],
};

/** Which rule answered, and what. */
export function judge(question: NodeQuestion): { readonly rule: number; readonly verdict: VipsVerdict } {
  const kind = question.tree.kind[question.node];
  if (kind === 'text' || kind === 'atom') return { rule: 0, verdict: keep(COHERENCE.atom) };
  for (const rule of RULES_BY_ROLE[question.tree.role[question.node] ?? 'other']) {
    const verdict = RULES[rule](question);
    if (verdict) return { rule, verdict };
  }
  return { rule: 13, verdict: keep(docBySize(question)) };
}

/** Degree of coherence of a block where no rule knows better: the smaller, the more coherent. */
export function docBySize({ tree, node, pageArea }: NodeQuestion): number {
  const relative = pageArea > 0 ? areaOf(tree, node) / pageArea : 1;
  return COHERENCE.bySize.find(({ atLeast }) => relative >= atLeast)?.doc ?? COHERENCE.bySize[0].doc;
}

function childrenOf(tree: VipsTree, node: number): readonly number[] {
  return tree.children[node] ?? [];
}

function areaOf(tree: VipsTree, node: number): number {
  return tree.area[node] ?? 0;
}
