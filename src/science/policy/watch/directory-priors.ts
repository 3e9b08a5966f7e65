/**
 * What the pages of a directory taught about later pages in it: an article is not a front page, and need not be surveyed as
 * if nothing were known of articles.
 */
export interface DirectoryTally {
  /** Expected changes over hours between visits, and the importance of the changes seen. */
  changes: number;
  hours: number;
  seen: number;
  importance: number;
  gaps: number;
}

export type DirectoryPriors = Map<string, DirectoryTally>;

/** Gaps between visits from which a directory counts as known, and gaps that are remembered. */
const GAPS = { least: 6, memory: 300 } as const;
/** Changes that a page is assumed to have had before any was seen in its directory. */
const FIRST_CHANGES = 0.5;

export interface SeenGap {
  readonly hours: number;
  /** Versions expected in it; 0 where nothing changed. */
  readonly changes: number;
  readonly importance: number;
}

export function noteGap(priors: DirectoryPriors, directory: string, gap: SeenGap): void {
  const tally = priors.get(directory) ?? { changes: 0, hours: 0, seen: 0, importance: 0, gaps: 0 };
  priors.set(directory, tally);
  tally.changes += gap.changes;
  tally.hours += gap.hours;
  tally.gaps += 1;
  if (gap.changes > 0) {
    tally.seen += 1;
    tally.importance += gap.importance;
  }
  const keep = GAPS.memory / tally.gaps;
  if (keep >= 1) return;
  for (const name of ['changes', 'hours', 'seen', 'importance', 'gaps'] as const) tally[name] *= keep;
}

/** For a page whose age is known: how much its changes matter is the same at every age. */
export function noteImportance(priors: DirectoryPriors, directory: string, importance: number): void {
  const tally = priors.get(directory) ?? { changes: 0, hours: 0, seen: 0, importance: 0, gaps: 0 };
  priors.set(directory, tally);
  tally.seen += 1;
  tally.importance += importance;
}

export function priorFor(
  priors: DirectoryPriors,
  directory: string,
): { readonly rate: number; readonly importance?: number } | undefined {
  const tally = priors.get(directory);
  if (!tally || tally.gaps < GAPS.least || !(tally.hours > 0)) return undefined;
  return {
    rate: (tally.changes + FIRST_CHANGES) / tally.hours,
    ...(tally.seen >= 1 && { importance: tally.importance / tally.seen }),
  };
}
