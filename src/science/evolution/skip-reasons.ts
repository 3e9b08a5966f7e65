import { changesOf } from './change-features.ts';
import type { DirectoryHistory } from './directory-history.ts';
import { type MiningThresholds, mineRules } from './near-miner.ts';
import type { SitemapWord } from './sitemap-trust.ts';
import type { PlannedReason } from './skip-plan.ts';
import { warm } from './warm.ts';

/**
 * Why a directory is left out, by the reason that fits best: what the sitemap says; a rule; that it was quiet; a relaxed
 * rule. A directory with none of these is left out because little is expected of it.
 *
 * A rule is a reason only where every directory of its head is visited (Lemma 2 of NEAR-Miner 2009, over all reasons): no
 * directory is both assumed to change and left out. The estimate does not depend on the reason, so there is always another.
 */

/** Thresholds of the rules that may act. A tenth of the nodes is a significant change: half is seen to change in few directories. */
export const RULE_THRESHOLDS = { alpha: 0.1, beta: 0.3, theta: 0.8 } as const satisfies MiningThresholds;

/** Observations without a change after which a directory is called quiet. */
const QUIET_OBSERVATIONS = 5;

export function skipReasons(
  history: DirectoryHistory,
  skipped: ReadonlySet<number>,
  word: SitemapWord | undefined,
): (directory: number) => PlannedReason | undefined {
  const strict = ruleReasons(history, skipped, false);
  const relaxed = ruleReasons(history, skipped, true);
  return (directory) => {
    const told = word?.saysSame(directory);
    if (told) return { kind: 'sitemap', ...told };
    const rule = strict(directory);
    if (rule) return rule;
    const transitions = quietObservations(history, directory);
    return transitions >= QUIET_OBSERVATIONS ? { kind: 'quiet', transitions } : relaxed(directory);
  };
}

function ruleReasons(
  history: DirectoryHistory,
  skipped: ReadonlySet<number>,
  relaxed: boolean,
): (directory: number) => PlannedReason | undefined {
  const { deltas, tree } = history;
  const { alpha } = RULE_THRESHOLDS;
  const rules = mineRules(deltas, { ...RULE_THRESHOLDS, relaxed });
  const byTail = new Map(warm(0, tree, rules).map(({ directory, rule }) => [directory, rule]));
  return (directory) => {
    for (let at = directory; at >= 0; at = tree.parent(at)) {
      const rule = byTail.get(at);
      if (rule === undefined) continue;
      if (rule.head.some((id) => skipped.has(id))) return undefined;
      return {
        kind: rule.correlation === undefined ? 'relaxed-near' : 'near',
        head: rule.head.map((id) => tree.path(id)),
        tail: tree.path(at),
        alpha,
        confidence: rule.confidence,
      };
    }
    return undefined;
  };
}

/** Observations of the directory since one found a change. */
export function quietObservations(history: DirectoryHistory, directory: number): number {
  let count = 0;
  for (let t = history.transitions - 1; t >= 0; t--) {
    const found = history.observations(t);
    // 0: nobody looked. Undefined: it did not exist yet.
    if (!found.span[directory]) continue;
    if (changesOf(found, directory) > 0) break;
    count++;
  }
  return count;
}
