/**
 * The cut of a page whose boxes are only estimates, or undefined where it depends on them. The page is cut along the
 * layout of its last version, as it would be after a rendering: what is decided from memory does not depend on boxes.
 * What memory does not know (a text that gained a link, and so has parts now) is decided by the models, which compare a
 * number with a threshold; they are trusted if the number is well clear of it.
 */
import type { Segment } from '../../../model/layout.ts';
import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import { segmentsOf } from '../blocks/cut.ts';
import { decide } from '../blocks/decide.ts';
import { MODELS } from '../blocks/index.ts';
import { recollect } from '../blocks/memory.ts';
import { type PreparedPage, preparePage } from '../blocks/prepared-page.ts';
import type { Recall } from '../blocks/recall.ts';

/** Log-odds by which the models must clear the threshold, as boxes are estimates. */
const SURE = 0.3;

export function steadyCut(snapshot: PageSnapshot, memory: string): Segment | undefined {
  const page = preparePage(snapshot);
  const { decisions, odds, recalled } = decide(page, MODELS, recollect(memory));
  // A part that is new, gone or reshaped may be identified by its size alone, which is an estimate.
  if (!recalled?.sameParts) return undefined;
  const { coarse, split } = decisions;
  const clear = decidedByModels(page, recalled).every((index) => {
    const mayBeCoarse =
      (page.tree.parts[index]?.parent ?? -1) < 0 || coarse[page.tree.parts[index]?.parent ?? 0] === 1;
    const sure = [odds.fine[index] as number, ...(mayBeCoarse ? [odds.coarse[index] as number] : [])];
    return split[index] === 0 && sure.every((value) => value < -SURE);
  });
  return clear ? segmentsOf(page.tree, page.facts, decisions) : undefined;
}

/** Parts that the cut reaches, that could be split, and that memory does not know. */
function decidedByModels({ tree: { parts } }: PreparedPage, { remembered, split }: Recall): number[] {
  return parts.flatMap(({ parent, children }, index) => {
    const reached = parent < 0 || split[parent] === 1;
    return reached && children.length > 0 && remembered[index] === 0 ? [index] : [];
  });
}
