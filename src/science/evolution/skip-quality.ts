/**
 * L. Chen, S. S. Bhowmick, W. Nejdl: NEAR-Miner: Mining Evolution Associations of Web Site Directories for Efficient
 * Maintenance of Web Archives. PVLDB 2(1), 2009. § 6.1, Eq. 2 to 9.
 *
 * Idea: what leaving out directories saved and lost, from what happened to the pages of the next version.
 *
 *   N_s, N_s + N_m    pages left out, all pages                         `skipped`, `pages`
 *   C_t               inserted, deleted and modified pages              `changed`
 *   C_1s, C_2s        of these left out: inserted, deleted              `missedInsertions`, `missedDeletions`
 *   BR, OP, OR, CR                                                      `SkipQuality`
 *
 * Errata: the denominator of Eq. 7 is N_s + N_m − C_1s + C_2s, which agrees with Eq. 3; Eq. 9 forgets modified pages
 * that were skipped and so flatters the recall. `changeRecall` is Eq. 5; `changeRecallEq9` is there to be set beside
 * the paper's tables.
 */
export interface SkippedAndKept {
  /** Pages of the new version. */
  readonly pages: number;
  /** How many of these are in directories that were left out. */
  readonly skipped: number;
  /** Inserted, deleted and modified pages: all, and those in directories that were left out. */
  readonly changed: number;
  readonly missedInsertions: number;
  readonly missedDeletions: number;
  readonly missedUpdates: number;
}

export interface SkipQuality {
  /** BR. */
  readonly bypassRatio: number;
  /** OP. */
  readonly overallPrecision: number;
  /** OR. */
  readonly overallRecall: number;
  /** CR; 1 when nothing changed. */
  readonly changeRecall: number;
  readonly changeRecallEq9: number;
}

export function skipQuality(counts: SkippedAndKept): SkipQuality {
  const { pages, skipped, changed, missedInsertions, missedDeletions, missedUpdates } = counts;
  const correct = pages - missedInsertions;
  const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);
  return {
    bypassRatio: pages === 0 ? 0 : skipped / pages,
    overallPrecision: share(correct, correct + missedDeletions),
    overallRecall: share(correct, pages),
    changeRecall: share(changed - missedInsertions - missedDeletions - missedUpdates, changed),
    changeRecallEq9: share(changed - missedInsertions - missedDeletions, changed),
  };
}
