/**
 * The default segmenter: one tree of blocks, coarse at the top (header, content, sidebar, footer), fine at the leaves
 * (menu, article, list, advertisement). Two small logistic models over visual features say for each part of the page
 * whether it is one block or several; their features are relative to the page, so the page and not a threshold sets the
 * granularity. Linear in the nodes of the snapshot, except for one sort of the gaps between siblings.
 *
 * A page that was cut before is cut along its last version's layout where its parts still exist (`recall.ts`).
 *
 * Rejected, measured on the annotated set: the likeliest cut of the whole tree instead of top-down (no gain at the
 * coarse level, worse at the fine one); a learned model of which neighbours to join (a gain on its training pages
 * only).
 */
import type { Layout } from '../../../model/layout.ts';
import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import type { SegmentedPage, Segmenter } from '../segmenter.ts';
import { COARSE, FINE } from './coefficients.ts';
import { segmentsOf } from './cut.ts';
import { type BlockModels, decide } from './decide.ts';
import { type Memory, recollect, remember } from './memory.ts';
import { preparePage } from './prepared-page.ts';

export type { BlockModels } from './decide.ts';

/** The segmenter with given models: the shipped ones, or those trained with some pages left out. */
export function blocksWith(models: BlockModels, name: string): Segmenter {
  return {
    name,
    segment: (snapshot, previous) => segment(snapshot, models, memoryOf(previous, name)),
  };
}

/** The shipped models. */
export const MODELS: BlockModels = { coarse: COARSE, fine: FINE };

export const blocks: Segmenter = blocksWith(MODELS, 'blocks/2');

/** What a layout remembers for its successor; undefined if another segmenter made it. */
export function memoryOf(previous: Layout | undefined, segmenter: string): Memory | undefined {
  return previous?.segmenter === segmenter && previous.memory !== undefined
    ? recollect(previous.memory)
    : undefined;
}

function segment(snapshot: PageSnapshot, models: BlockModels, memory: Memory | undefined): SegmentedPage {
  const page = preparePage(snapshot);
  const { tree, facts } = page;
  const { decisions } = decide(page, models, memory);
  return { ...segmentsOf(tree, facts, decisions), memory: remember(tree, decisions) };
}
