/**
 * The quiet rule or our plan, whichever skipped more of the site's own past at the same promised miss. The miss of a rule "quiet
 * for k" is corrected like our own promise (science/evolution/skip-validation.ts): by the model's estimate for the same
 * directories, which counts as five versions and is multiplied by 1.15. Nothing is fitted on the site.
 */
import { changeFeatures, changesOf } from '../../science/evolution/change-features.ts';
import { type ChangeCoefficients, changeShares } from '../../science/evolution/change-model.ts';
import type { DirectoryHistory } from '../../science/evolution/directory-history.ts';
import type { SkipPlan } from '../../science/evolution/skip-plan.ts';
import { outcomeOf, type PlanOutcome } from '../../science/evolution/skip-validation.ts';
import { QUIET_SETTINGS, quietSkips } from './skip-methods.ts';

const PRIOR_VERSIONS = 5;
const OPTIMISM = 1.15;
const REPLAYS = 11;
const MIN_TRANSITIONS = 8;

interface QuietPast {
  readonly k: number;
  readonly promised: number;
  /** Mean share of pages skipped. */
  readonly bypassRatio: number;
}

/** How each k did on the last versions, the mildest first. */
function quietPast(history: DirectoryHistory, coefficients: ChangeCoefficients): QuietPast[] {
  const first = Math.max(MIN_TRANSITIONS, history.transitions - REPLAYS);
  const replays: (PlanOutcome & { readonly quiet: Int32Array })[] = [];
  for (let version = first; version < history.transitions; version++) {
    const outcome = outcomeOf(history, version);
    if (outcome.changed > 0) replays.push({ ...outcome, quiet: quietAt(history, version) });
  }
  const last = history.versions - 1;
  const now = changeFeatures(history, last, history.timeOf(last));
  const shares = changeShares(now, coefficients);
  const quietNow = quietAt(history, last);
  return QUIET_SETTINGS.map((k) => {
    const sum = (of: (replay: (typeof replays)[number], directory: number) => number): number =>
      replays.reduce((all, replay) => {
        let own = 0;
        replay.quiet.forEach((quiet, directory) => {
          if (quiet >= k) own += of(replay, directory);
        });
        return all + own;
      }, 0);
    const found = sum(({ changes, changed }, d) => (changes[d] ?? 0) / changed);
    const bypassed = sum(({ after, pages }, d) => (after[d] ?? 0) / Math.max(1, pages));
    const expected = now.directories.reduce(
      (all, d, place) => ((quietNow[d] ?? 0) >= k ? all + (shares[place] as number) : all),
      0,
    );
    const promised = (found + PRIOR_VERSIONS * OPTIMISM * expected) / (replays.length + PRIOR_VERSIONS);
    return { k, promised, bypassRatio: bypassed / Math.max(1, replays.length) };
  });
}

/** By directory: consecutive transitions before this version without a change; −1 where it held no page. */
function quietAt(history: DirectoryHistory, version: number): Int32Array {
  const pages = history.pagesAt(version);
  return Int32Array.from(pages, (count, d) => {
    if (count === 0) return -1;
    let quiet = 0;
    for (let t = version - 1; t >= 0; t--) {
      const observed = history.observations(t);
      if ((observed.span[d] ?? 0) === 0) continue;
      if (changesOf(observed, d) > 0) break;
      quiet++;
    }
    return quiet;
  });
}

/** For a plan with this budget: the directories that the quiet rule skips, if it did better, and what it promises. */
export function quietInstead(
  history: DirectoryHistory,
  coefficients: ChangeCoefficients,
): (
  plan: SkipPlan,
  missAtMost: number,
) => { readonly skipped: Set<number>; readonly promised: number } | undefined {
  const past = quietPast(history, coefficients);
  const skips = quietSkips(history);
  return (plan, missAtMost) => {
    const best = past.find(({ promised }) => promised <= missAtMost);
    const ours = plan.kind === 'plan' ? plan.validation.bypassRatio : 0;
    if (!best || best.bypassRatio <= ours) return undefined;
    return { skipped: skips(best.k), promised: best.promised };
  };
}
