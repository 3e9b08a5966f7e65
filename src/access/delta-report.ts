import { type Comparison, comparisonBy } from '../model/comparison.ts';
import type { Delta } from '../model/delta.ts';
import { isPartial } from '../model/delta.ts';
import type { Layout } from '../model/layout.ts';
import { type ChangeImportance, changeImportance } from '../science/delta/change-importance.ts';
import { changeOperations } from '../science/delta/change-of.ts';
import { type DeltaReport, reportDelta } from '../science/delta/delta-json.ts';
import { placesOf } from '../science/delta/places.ts';
import { type ReaderReport, readerReport } from '../science/delta/reader-words.ts';
import { withSalience } from '../science/delta/salience/salience.ts';

/** A delta with all that is told of it, for programs and for people. */
export interface ReportedDelta {
  /** With its salience. */
  readonly delta: Delta;
  readonly importance: ChangeImportance;
  readonly report: DeltaReport;
  readonly comparison: Comparison;
  readonly told: ReaderReport;
}

/** What is told of the delta between two layouts, by commands and API alike. */
export function reportedDelta(old: Layout, later: Layout, plain: Delta): ReportedDelta {
  // A stored delta has the salience that was computed with the page's past at hand.
  const delta = plain.salience ? plain : withSalience({ old, new: later, delta: plain });
  const importance = changeImportance(delta);
  const { salience } = delta;
  return {
    delta,
    importance,
    report: reportDelta(delta, importance),
    comparison: comparisonBy({
      importance: importance.importance,
      ...(salience && { salience: salience.value, why: salience.why }),
      ...(isPartial(delta) && { partial: true as const }),
    }),
    told: readerReport(changeOperations(delta, importance.shares), placesOf(old, later)),
  };
}
