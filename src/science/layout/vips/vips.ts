/**
 * VIPS: a vision-based page segmentation algorithm.
 * D. Cai, S. Yu, J.-R. Wen, W.-Y. Ma. Microsoft Research, MSR-TR-2003-79, 2003.
 *
 * Rounds of: extract visual blocks from the DOM (§4.1), find separators between them and weigh them (§4.2), merge
 * blocks across the lightest separators (§4.3). A leaf that is less coherent than permitted is extracted again.
 *
 *   DoC  → doc, degree of coherence, 1 (loose) to 11 (one thing)
 *   PDoC → permittedDoc
 *   pool → VisualBlock[]
 *
 * As in the paper, only leaves are compared with PDoC: a region of light separators is not folded back into a leaf.
 * What the paper leaves open (thresholds, DoC by size) was set on the 81 annotated pages of the random set.
 *
 * Departures, besides those of the parts:
 * - Fixed and sticky nodes are overlays: each is segmented separately from the page, since it would cover separators.
 * - The paper wants the DoC of a child never below its parent's, but sets the one by rules and the other by
 *   separators: a divided region gets the smaller of what its separators and its parts say.
 * - DoC is normalised over all possible weights, not those of the page at hand: equal blocks have equal DoC
 *   in two versions of a page.
 *
 * Near linear: each round visits the nodes between the leaves and those below them, and sorts blocks at most
 * `DEEPEST` times.
 */
import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import type { Segmenter } from '../segmenter.ts';
import { extractBlocks } from './extraction.ts';
import { HEAVIEST, LIGHTEST } from './separators.ts';
import { type Share, shareOut } from './share-out.ts';
import { constructRegion, type VipsRegion } from './structure.ts';
import { type VipsTree, visualTree } from './visual-tree.ts';

export interface VipsOptions {
  /** PDoC: leaves below it are extracted again, so a larger value means finer blocks. 1 to 11. */
  readonly permittedDoc: number;
  /** Relative area of the first round: see `NodeQuestion`. */
  readonly threshold: number;
  /** Factor by which the threshold shrinks from round to round. */
  readonly shrink: number;
  readonly rounds: number;
}

export const VIPS_DEFAULTS: VipsOptions = { permittedDoc: 5, threshold: 0.2, shrink: 0.5, rounds: 10 };

export function vips(options: Partial<VipsOptions> = {}): Segmenter {
  const all = { ...VIPS_DEFAULTS, ...options };
  return {
    name: `vips/1 ${Object.entries(all)
      .map(([option, value]) => `${option}=${value}`)
      .join(' ')}`,
    segment: (snapshot: PageSnapshot) => {
      const tree = visualTree(snapshot);
      const planes = [0, ...tree.overlays].filter((root) => tree.valid[root]);
      const shares = planes.map((root) => segmentPlane(tree, root, all));
      const [only = { doc: 11, nodes: [], parts: [] }, ...more] = shares;
      return shareOut(tree, more.length === 0 ? only : { doc: 1, nodes: [], parts: shares });
    },
  };
}

/** A leaf of the content structure so far; its divisions replace it. */
interface Place {
  region: VipsRegion;
  parts: Place[];
}

/** The page without its overlays, or one of them. */
function segmentPlane(tree: VipsTree, root: number, options: VipsOptions): Share {
  const { page } = tree.snapshot;
  // No round has judged the root yet: it counts as the loosest.
  const whole: Place = { region: { kind: 'leaf', block: { node: root, doc: 1 } }, parts: [] };
  let pending = [whole];
  let threshold = options.threshold;
  for (let round = 0; round < options.rounds && pending.length > 0; round++) {
    const next: Place[] = [];
    for (const place of pending) {
      if (place.region.kind !== 'leaf') continue;
      const pool = extractBlocks(tree, place.region.block.node, {
        threshold,
        pageArea: page.width * page.height,
      });
      const region = constructRegion(tree, pool);
      if (region) settle(place, region, options.permittedDoc, next);
    }
    pending = next;
    threshold *= options.shrink;
  }
  return shareOf(whole);
}

/** Puts a region in its place, and collects leaves that fall short of the requested granularity. */
function settle(place: Place, region: VipsRegion, permittedDoc: number, failing: Place[]): void {
  place.region = region;
  if (region.kind === 'leaf') {
    if (region.block.doc < permittedDoc) failing.push(place);
    return;
  }
  place.parts = region.parts.map((part) => {
    const inner: Place = { region: part, parts: [] };
    settle(inner, part, permittedDoc, failing);
    return inner;
  });
}

function shareOf({ region, parts: places }: Place): Share {
  if (region.kind === 'leaf') return { doc: region.block.doc, nodes: [region.block.node], parts: [] };
  const parts = places.map(shareOf);
  const ofParts = parts.reduce((least, part) => Math.min(least, part.doc), 11);
  return { doc: Math.min(ofParts, docOfWeight(region.weight)), nodes: [], parts };
}

/** §4.3: the heavier the heaviest separator inside, the less coherent. */
export function docOfWeight(weight: number | undefined): number {
  if (weight === undefined) return 11;
  return Math.round(11 - (10 * (weight - LIGHTEST)) / (HEAVIEST - LIGHTEST));
}
