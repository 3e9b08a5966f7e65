import { changeView } from '../../access/change-view/change-view.ts';
import type { Millis } from '../../model/time.ts';
import { changeImportance } from '../../science/delta/change-importance.ts';
import { type DeltaReport, reportDelta } from '../../science/delta/delta-json.ts';
import { diffLayouts } from '../../science/delta/diff-layouts.ts';
import { writeViDelta } from '../../science/delta/vi-delta.ts';
import type { PageSource } from '../given/page-source.ts';
import { type LookOptions, openPageEye } from './look-at-page.ts';

export interface ComparedPages {
  readonly report: DeltaReport;
  /** The delta as XML. */
  viDelta(): string;
  /** Both versions side by side, as one HTML page. */
  view(): string;
}

/** Two versions of a page as a reader sees them, wherever they are, and what changed between them. */
export async function comparePages(
  [before, after]: readonly [PageSource, PageSource],
  now: Millis,
  options: LookOptions,
): Promise<ComparedPages> {
  const eye = openPageEye(options);
  try {
    const old = await eye.look(before, now);
    const current = await eye.look(after, now);
    for (const fact of [...old.facts, ...current.facts]) options.onFact(fact);
    const delta = diffLayouts(old.layout, current.layout);
    const importance = changeImportance(delta);
    return {
      report: reportDelta(delta, importance),
      viDelta: () => writeViDelta(delta),
      view: () => changeView({ old, new: current, delta, ...importance }),
    };
  } finally {
    await eye.close();
  }
}
