import { INFERENCE_REASONS, type InferenceReason, type InferredDirectory } from '../model/inference.ts';

/** What a crawl took for unchanged, in numbers. */
export interface InferenceCounts {
  readonly pages: number;
  readonly directories: number;
  /** Pages among them expected to have changed. */
  readonly expectedMissed: number;
  /** Pages by the reason. */
  readonly reasons: Readonly<Partial<Record<InferenceReason, number>>>;
  /** Pages that a rule would have left out, and that were visited since its head did not change. */
  readonly visitedAfterAll: number;
}

export function inferenceCounts(inferences: readonly InferredDirectory[]): InferenceCounts {
  const pagesOf = (some: readonly InferredDirectory[]): number =>
    some.reduce((sum, { urls }) => sum + urls.length, 0);
  const kept = inferences.filter(({ state }) => state === 'inferred');
  const byReason = INFERENCE_REASONS.map(
    (reason) => [reason, pagesOf(kept.filter((one) => one.reason === reason))] as const,
  );
  return {
    pages: pagesOf(kept),
    directories: kept.length,
    expectedMissed: kept.reduce((sum, { expectedMissed }) => sum + expectedMissed, 0),
    reasons: Object.fromEntries(byReason.filter(([, pages]) => pages > 0)),
    visitedAfterAll: pagesOf(inferences.filter(({ state }) => state === 'visited')),
  };
}

/** A directory with the number of its pages in place of their list. */
export type CountedInference = Omit<InferredDirectory, 'urls' | 'assumes'> & { readonly pages: number };

export const counted = ({
  site,
  directory,
  reason,
  rule,
  expectedMissed,
  confidence,
  lastSeen,
  state,
  urls,
}: InferredDirectory): CountedInference => ({
  site,
  directory,
  pages: urls.length,
  reason,
  rule,
  expectedMissed,
  confidence,
  lastSeen,
  state,
});
