/**
 * The cut of a page whose boxes are known only about, or nothing where it hangs on them. The page is cut along the layout
 * of its last version, as it would be after a rendering: what is decided from memory does not depend on boxes. What
 * memory has nothing of (a text that got a link, and so has parts now) the models decide by comparing a number with a
 * threshold; that is trusted if the number stands clear of it.
 */
import type { Segment } from '../../../model/layout.ts';
import type { PageSnapshot } from '../../../model/page-snapshot.ts';
import { segmentsOf } from '../blocks/cut.ts';
import { decide } from '../blocks/decide.ts';
import { MODELS } from '../blocks/index.ts';
import { recollect } from '../blocks/memory.ts';
import { type PreparedPage, preparePage } from '../blocks/prepared-page.ts';
import type { Recall } from '../blocks/recall.ts';

/** Log-odds by which the models must be sure: boxes are estimates. */
const SURE = 0.3;

export function steadyCut(snapshot: PageSnapshot, memory: string): Segment | undefined {
  const page = preparePage(snapshot);
  const { decisions, odds, recalled } = decide(page, MODELS, recollect(memory));
  // A part that came, went or has another shape may be known by its size alone, and that is an estimate.
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

/** Parts that the cut reaches, that could be split, and that memory knows nothing of. */
function decidedByModels({ tree: { parts } }: PreparedPage, { remembered, split }: Recall): number[] {
  return parts.flatMap(({ parent, children }, index) => {
    const reached = parent < 0 || split[parent] === 1;
    return reached && children.length > 0 && remembered[index] === 0 ? [index] : [];
  });
}
