/**
 * Temporal completeness: how much of what appeared on the web is in the archive, by importance.
 *
 * M. Ben Saad, S. Gançarski: Archiving the web using page changes patterns: a case study. IJDL 13 (2012), §3.
 *
 *   P̃_i[τ]         a version that appeared at τ            → PageVersion
 *   P_i[t]          a capture at t                          → a time in `captures`
 *   ω(μ_i[τ])       importance of the change that made it   → PageVersion.importance, in [0, 1]
 *   ω(P_i)          importance of the page                  → weight
 *
 * Departures. (1) A page on which nothing of any weight appeared has no completeness (0/0): it is undefined,
 * and left out of the archive's mean; the paper does not say. (2) A capture before the first known version
 * sees something that appeared earlier: it weighs nothing here. (3) Besides Def. 4 (`per-page`: each page is
 * divided by its own total) there is `pooled`: all captured weight / all weight. On real pages the two rank
 * policies differently, so both are always reported.
 *
 * A version of importance 0 is still a version: it overwrites the previous one and adds nothing.
 */
import type { Seconds } from '../../model/time.ts';

export type Objective = 'per-page' | 'pooled';

export const OBJECTIVES: readonly Objective[] = ['per-page', 'pooled'];

export interface PageVersion {
  /** When it appeared. It lives until the next one. */
  readonly time: Seconds;
  /** Of the change that made it, in [0, 1]. */
  readonly importance: number;
}

export interface PageCaptures {
  readonly weight: number;
  readonly versions: readonly PageVersion[];
  readonly captures: readonly Seconds[];
}

export interface PageCompleteness {
  /** Undefined when nothing of any weight appeared. */
  readonly completeness: number | undefined;
  /** Σ importance of the distinct versions captured. */
  readonly captured: number;
  /** Σ importance of all versions that appeared. */
  readonly appeared: number;
}

export interface ArchiveCompleteness {
  /** Def. 4; undefined when no page has a completeness. */
  readonly perPage: number | undefined;
  /** Σ weight × captured / Σ weight × appeared. */
  readonly pooled: number | undefined;
  readonly pages: readonly PageCompleteness[];
}

export class CompletenessError extends RangeError {}

/** Def. 3. The order of the input does not matter; if two versions have the same time, the later in the list wins. */
export function pageCompleteness(
  versions: readonly PageVersion[],
  captures: readonly Seconds[],
): PageCompleteness {
  for (const { importance } of versions) requireImportance(importance, 'importance of a change');
  const ordered = [...versions].sort((a, b) => a.time - b.time);
  const appeared = ordered.reduce((sum, version) => sum + version.importance, 0);
  const seen = new Set<number>();
  for (const time of captures) {
    const live = lastAtOrBefore(ordered, time);
    if (live >= 0) seen.add(live);
  }
  let captured = 0;
  for (const index of seen) captured += ordered[index]?.importance ?? 0;
  return { completeness: appeared > 0 ? captured / appeared : undefined, captured, appeared };
}

/** Def. 4, and also the pooled measure. */
export function archiveCompleteness(pages: readonly PageCaptures[]): ArchiveCompleteness {
  for (const { weight } of pages) requireImportance(weight, 'importance of a page');
  const each = pages.map((page) => pageCompleteness(page.versions, page.captures));
  return { ...combine(each, (index) => pages[index]?.weight ?? 0), pages: each };
}

/** The two archive measures from the parts of its pages. */
export function combine(
  each: readonly PageCompleteness[],
  weightOf: (index: number) => number,
): { readonly perPage: number | undefined; readonly pooled: number | undefined } {
  let weights = 0;
  let weighted = 0;
  let captured = 0;
  let appeared = 0;
  each.forEach((page, index) => {
    const weight = weightOf(index);
    captured += weight * page.captured;
    appeared += weight * page.appeared;
    if (page.completeness === undefined) return;
    weights += weight;
    weighted += weight * page.completeness;
  });
  return {
    perPage: weights > 0 ? weighted / weights : undefined,
    pooled: appeared > 0 ? captured / appeared : undefined,
  };
}

/** Index of the last version that appeared at or before `time`; -1 for none. */
export function lastAtOrBefore(ordered: readonly { readonly time: Seconds }[], time: Seconds): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordered[middle]?.time ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function requireImportance(value: number, what: string): void {
  if (!(value >= 0 && value <= 1)) throw new CompletenessError(`${what} must be in [0, 1], not ${value}`);
}
