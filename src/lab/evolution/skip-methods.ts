import { changesOf } from '../../science/evolution/change-features.ts';
import { DeltaTree } from '../../science/evolution/delta-tree.ts';
import type { DirectoryHistory } from '../../science/evolution/directory-history.ts';
import type { DirectoryTree } from '../../science/evolution/directory-tree.ts';
import { HeadCheck } from '../../science/evolution/head-check.ts';
import { mineRules, type NegativeRule } from '../../science/evolution/near-miner.ts';
import { sitePath } from '../../science/evolution/site-path.ts';
import { quietObservations } from '../../science/evolution/skip-reasons.ts';
import { warm } from '../../science/evolution/warm.ts';
import type { HistoryPage } from '../data/history-versions.ts';

/** The other ways to choose what is skipped, for comparison with ours: each setting is a point of a curve. */

export const RULE_SETTINGS = [0.02, 0.05, 0.1, 0.2, 0.5].flatMap((alpha) =>
  [0.1, 0.3, 0.6].map((beta) => ({ alpha, beta, theta: 0.5 })),
);
export const QUIET_SETTINGS = Array.from({ length: 19 }, (_, i) => i + 1);
export const CUT_SETTINGS = [0, 0.01, 0.02, 0.05, 0.075, 0.1, 0.125, 0.15, 0.2, 0.25, 0.3, 0.4];

/** Directories without a change in the last k transitions. */
export function quietSkips(history: DirectoryHistory): (k: number) => Set<number> {
  const observed = living(history, history.versions - 1).map(
    (d) => [d, quietObservations(history, d)] as const,
  );
  return (k) => new Set(observed.filter(([, quiet]) => quiet >= k).map(([d]) => d));
}

/** Versions at the end of the training on which the flat cut is chosen. */
const VALIDATED = 5;

/**
 * Directories by the decayed change rate of their own pages, up to the rate that would have missed at most this share
 * before.
 */
export function flatCutSkips(history: DirectoryHistory): (missAtMost: number) => Set<number> {
  const now = ratesAt(history, history.versions - 1);
  const past = Array.from({ length: VALIDATED }, (_, i) => {
    const version = history.transitions - 1 - i;
    const observed = history.observations(version);
    const rates = ratesAt(history, version).map(([d, rate]) => [changesOf(observed, d), rate] as const);
    const changed = observed.span.reduce((sum, _, d) => sum + changesOf(observed, d), 0);
    return { rates, changed };
  }).filter(({ changed }) => changed > 0);
  const missed = (cut: number): number =>
    past.reduce((sum, { rates, changed }) => {
      const lost = rates.reduce((all, [changes, rate]) => (rate <= cut ? all + changes : all), 0);
      return sum + lost / changed / past.length;
    }, 0);
  const cuts = [...new Set(now.map(([, rate]) => rate))]
    .sort((a, b) => a - b)
    .map((cut) => ({ cut, missed: missed(cut) }));
  return (missAtMost) => {
    const cut = cuts.findLast((one) => one.missed <= missAtMost)?.cut ?? -1;
    return new Set(now.filter(([, rate]) => rate <= cut).map(([d]) => d));
  };
}

const HALF_LIFE = 4;

function ratesAt(history: DirectoryHistory, version: number): (readonly [directory: number, rate: number])[] {
  return living(history, version).map((d) => {
    let [changed, pages] = [0, 0];
    for (let t = 0; t < version; t++) {
      const observed = history.observations(t);
      const weight = 0.5 ** ((version - 1 - t) / HALF_LIFE);
      changed += weight * changesOf(observed, d);
      pages += weight * ((observed.pages[d] ?? 0) + (observed.inserted[d] ?? 0));
    }
    return [d, pages === 0 ? 1 : changed / pages] as const;
  });
}

function living(history: DirectoryHistory, version: number): number[] {
  return [...history.pagesAt(version).entries()].filter(([, pages]) => pages > 0).map(([d]) => d);
}

export interface RuleSkips {
  readonly skipped: ReadonlySet<number>;
  /** Keyed by the topmost directory of each skipped subtree. */
  readonly rules: ReadonlyMap<number, NegativeRule>;
  readonly alpha: number;
}

/** WARM, started at the root. */
export function ruleSkips(
  deltas: DeltaTree,
  thresholds: (typeof RULE_SETTINGS)[number],
  relaxed: boolean,
): RuleSkips {
  const rules = mineRules(deltas, { ...thresholds, relaxed });
  const tops = new Map(warm(0, deltas.tree, rules).map(({ directory, rule }) => [directory, rule]));
  return { skipped: below(deltas.tree, tops.keys()), rules: tops, alpha: thresholds.alpha };
}

function below(tree: DirectoryTree, tops: Iterable<number>): Set<number> {
  const all = new Set<number>();
  const open = [...tops];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    all.add(at);
    open.push(...tree.children(at));
  }
  return all;
}

/** What a crawl of the test version sees if it skips these directories. */
export function seenWithout(
  skipped: ReadonlySet<number>,
  history: DirectoryHistory,
  before: readonly HistoryPage[],
  after: readonly HistoryPage[],
): HeadCheck {
  const check = new HeadCheck(history);
  const found = new Map<string, string | undefined>(before.map(({ url }) => [url, undefined]));
  for (const { url, digest } of after) found.set(url, digest);
  for (const [url, digest] of found) {
    const directory = history.tree.find(sitePath(url).directory);
    if (directory === undefined || !skipped.has(directory)) check.see(url, digest);
  }
  return check;
}

/** Skips only by rules whose heads did change. */
export function heldSkips(tree: DirectoryTree, { rules, alpha }: RuleSkips, check: HeadCheck): Set<number> {
  const isHeld = ({ head }: NegativeRule): boolean =>
    head.every((directory) => check.degreeOfChange(tree.path(directory)) >= alpha);
  return below(
    tree,
    [...rules].filter(([, rule]) => isHeld(rule)).map(([top]) => top),
  );
}

/** Degrees of change in which an updated page counts by its importance. */
export function weightedDeltas(
  history: DirectoryHistory,
  versions: readonly (readonly HistoryPage[])[],
): DeltaTree {
  const deltas = new DeltaTree({ weighted: true, tree: history.tree });
  for (const version of versions) deltas.add(version);
  return deltas;
}
