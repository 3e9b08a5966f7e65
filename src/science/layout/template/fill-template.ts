/**
 * A new version's layout from its HTML alone, using a template of an earlier version: no browser, no style sheets.
 * Blocks, elements and ids are the same as rendering and segmenting would give; boxes, degrees of coherence and
 * importance are those of the earlier version.
 *
 * The cut is not taken on trust: the page is cut again with estimated boxes, along the layout of the earlier version as
 * it would be after a rendering, and must be divided at the same places beyond doubt. Where only addresses or words of
 * the same length changed, nothing can have moved, and nothing is segmented.
 */
import type { HtmlTree } from '../../../model/html-tree.ts';
import type { Layout, Segment } from '../../../model/layout.ts';
import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import { type AdLists, adJudge } from '../ad-signals.ts';
import { placedLayoutOf } from '../layout-of.ts';
import { leafOfNode, leavesOf } from '../segment-leaves.ts';
import { type FilledNodes, filledNodes, withBoxes } from './filled-snapshot.ts';
import { type Draft, matchSketch, modelsOf } from './match.ts';
import type { PageTemplate, TemplateBlock } from './page-template.ts';
import { reflow } from './reflow.ts';
import { type Sketch, type SketchNode, sameScripts, sketchOf } from './sketch.ts';
import { steadyCut } from './steady-cut.ts';

export interface FillOptions {
  readonly version: string;
  /** The segmenter in use, by `Segmenter.name`: a template of another one is useless. */
  readonly segmenter: string;
  readonly imageDigest?: ((source: string) => string | undefined) | undefined;
  readonly ads?: AdLists | undefined;
}

export type TemplateFilling =
  /**
   * Boxes, degrees of coherence and importance are those of version `boxesOf`; everything else is the new version's
   * own.
   */
  | { readonly kind: 'filled'; readonly layout: Layout; readonly boxesOf: string }
  /** The page has to be rendered. */
  | { readonly kind: 'render'; readonly reason: string };

const render = (reason: string): TemplateFilling => ({ kind: 'render', reason });

export function fillTemplate(template: PageTemplate, tree: HtmlTree, options: FillOptions): TemplateFilling {
  if (template.segmenter !== options.segmenter) return render('made by another segmenter');
  if (tree.doubts.length > 0) return render(`doubtful markup: ${tree.doubts.join(', ')}`);
  const sketch = sketchOf(tree);
  if (sketch.styles !== template.surroundings.styles) return render('other style sheets');
  if (!sameScripts(template.surroundings.scripts, sketch)) return render('other scripts');
  const match = matchSketch(template, modelsOf(template), sketch);
  if (match.kind === 'unknown') return render(match.reason);
  if (changesSkeleton(template, match.drafts)) return render('something came or went between blocks');
  const filled = filledNodes(template, match.drafts, tree, sketch);
  if (typeof filled === 'string') return render(filled);
  const still = match.structureKept && textsAsLong(template, match.drafts, sketch);
  const cut = still
    ? heldCut(template, match.drafts, filled, sketch)
    : checkedCut(template, match.drafts, filled, sketch);
  if (!cut) return render('the blocks may differ');
  const shares = leafBlocks(template.cut).map(({ importance }) => importance);
  const remembering = { ...cut.segment, ...(template.memory !== undefined && { memory: template.memory }) };
  const { layout } = placedLayoutOf(cut.snapshot, remembering, {
    version: options.version,
    segmenter: template.segmenter,
    imageDigest: options.imageDigest,
    isAdvertisement: adJudge(cut.snapshot, options.ads),
    weigh: () => shares,
  });
  return { kind: 'filled', layout, boxesOf: template.version };
}

/** Inside a leaf block anything may come and go; around the roots of the blocks everything must be as it was. */
function changesSkeleton({ nodes }: PageTemplate, drafts: readonly Draft[]): boolean {
  return drafts.some(({ kind, parent }) => {
    const around = drafts[parent];
    return kind !== 'kept' && around?.kind === 'kept' && nodes.leaf[around.like] === -1;
  });
}

interface Cut {
  readonly snapshot: PageSnapshot;
  readonly segment: Segment;
}

function textsAsLong({ nodes }: PageTemplate, drafts: readonly Draft[], sketch: Sketch): boolean {
  return drafts.every(
    ({ like, sketch: n }) =>
      nodes.tag[like] !== '' ||
      (sketch.nodes[n] as SketchNode | undefined)?.text.length === nodes.length[like],
  );
}

/** The template's own cut. */
function heldCut(template: PageTemplate, drafts: readonly Draft[], filled: FilledNodes, sketch: Sketch): Cut {
  const placeOf = new Map<number, number>();
  for (const [i, draft] of filled.draftOf.entries()) placeOf.set((drafts[draft] as Draft).like, i);
  const segmentOf = ({ box, doc, nodes, blocks }: TemplateBlock): Segment => ({
    box,
    doc,
    nodes: nodes.flatMap((node) => placeOf.get(node) ?? []),
    segments: blocks.map(segmentOf),
  });
  return { snapshot: withBoxes(template, filled, undefined, sketch.title), segment: segmentOf(template.cut) };
}

/** The page cut again with estimated boxes; undefined unless that clearly gives the same blocks. */
function checkedCut(
  template: PageTemplate,
  drafts: readonly Draft[],
  filled: FilledNodes,
  sketch: Sketch,
): Cut | undefined {
  if (template.memory === undefined) return undefined;
  const snapshot = withBoxes(template, filled, reflow(template, drafts, sketch.nodes), sketch.title);
  const segment = steadyCut(snapshot, template.memory);
  if (!segment || !sameShape(template.cut, segment)) return undefined;
  const owner = leafOfNode(snapshot, leavesOf(segment));
  for (let i = 0; i < owner.length; i++) {
    const { like, kind } = drafts[filled.draftOf[i] as number] as Draft;
    if (kind === 'kept' && owner[i] !== template.nodes.leaf[like]) return undefined;
  }
  return { snapshot, segment: asBefore(template.cut, segment) };
}

function sameShape({ blocks }: TemplateBlock, { segments }: Segment): boolean {
  return (
    blocks.length === segments.length && blocks.every((block, i) => sameShape(block, segments[i] as Segment))
  );
}

const asBefore = ({ box, doc, blocks }: TemplateBlock, { nodes, segments }: Segment): Segment => ({
  box,
  doc,
  nodes,
  segments: segments.map((segment, i) => asBefore(blocks[i] as TemplateBlock, segment)),
});

const leafBlocks = (block: TemplateBlock): TemplateBlock[] =>
  block.blocks.length === 0 ? [block] : block.blocks.flatMap(leafBlocks);
