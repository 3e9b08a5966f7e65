/**
 * Which directories the next crawl of a site leaves out, so that at most `missAtMost` of the changed pages are missed.
 *
 * 1. The model predicts how the changes will be spread over the directories (change-model.ts), taking into account what the
 *    sitemap says now (sitemap-trust.ts).
 * 2. The site's own past shows how much more is missed than the model expects (skip-validation.ts), and so how much it may
 *    expect to miss.
 * 3. Directories are left out by cost, expected misses per page, until that is spent. Directories that have not been looked at
 *    for long cost more with each crawl, so they come back by themselves, at the latest after `refreshEvery` crawls.
 * 4. Each gets the strongest reason that contradicts no other (skip-reasons.ts).
 *
 * Cost: directories × transitions of the memory × versions replayed, and one pass over the pages for rules.
 */
import type { Millis } from '../../model/time.ts';
import { changeFeatures } from './change-features.ts';
import { CHANGE_COEFFICIENTS, type ChangeCoefficients, changeShares } from './change-model.ts';
import type { DirectoryHistory } from './directory-history.ts';
import { type SitemapWord, sitemapWord } from './sitemap-trust.ts';
import { type PlannedSkip, SKIP_DEFAULTS, type SkipOptions, type SkipPlan } from './skip-plan.ts';
import { skipReasons } from './skip-reasons.ts';
import { PastPlans, rankByCost, within } from './skip-validation.ts';

/** Fewer versions with a change than this say nothing about where changes happen. */
const MIN_CHANGED = 3;

export function planSkips(
  history: DirectoryHistory,
  options: SkipOptions,
  coefficients: ChangeCoefficients = CHANGE_COEFFICIENTS,
): SkipPlan {
  const { missAtMost } = options;
  const { minVersions = SKIP_DEFAULTS.minVersions, refreshEvery = SKIP_DEFAULTS.refreshEvery } = options;
  const { versions } = history;
  if (versions < minVersions)
    return { kind: 'none', why: { kind: 'too-few-versions', versions, needed: minVersions } };
  const past = new PastPlans(history, coefficients);
  const budget = past.budgetFor(missAtMost);
  const validation = past.validation(budget);
  if (past.changed < Math.min(MIN_CHANGED, past.versions))
    return { kind: 'none', why: { kind: 'history-does-not-support-it', validation } };

  const features = changeFeatures(history, versions - 1, options.now);
  const word = sitemapWord(history, options.lastModified, options.lastSeen);
  const shares = withSitemap(changeShares(features, coefficients), features.directories, word);
  const fixed = new Set(options.pinned);
  const pinned = pinnedPages(history, fixed);
  const oldest = oldestSightings(history, fixed, options.lastSeen);
  const pages = features.pages.map(
    (count, i) => count - (pinned.get(features.directories[i] as number) ?? 0),
  );
  const costs = shares.map((share, i) => (share * (pages[i] as number)) / (features.pages[i] as number));
  const isOpen = (place: number): boolean =>
    (features.spans[place] as number) < refreshEvery &&
    !word?.saysChanged(features.directories[place] as number);
  const ranking = rankByCost(costs, pages, isOpen);
  const count = within(ranking, budget);
  if (count === 0) {
    // By the model alone something could be left out; the past forbids it.
    const kind = within(ranking, missAtMost) > 0 ? 'history-does-not-support-it' : 'nothing-to-skip';
    return { kind: 'none', why: { kind, validation: past.validation(missAtMost) } };
  }
  const chosen = ranking.order.slice(0, count);
  const expected = ranking.expected[count - 1] as number;
  const promisedMiss = past.promise(expected);
  const changes = meanChanges(history) * (expected === 0 ? 0 : promisedMiss / expected);
  const skipped = new Set(chosen.map((place) => features.directories[place] as number));
  const reasons = skipReasons(history, skipped, word);
  const skips = chosen.map((place): PlannedSkip => {
    const directory = features.directories[place] as number;
    const expectedMissed = Math.min((costs[place] as number) * changes, pages[place] as number);
    // Changes come in clusters, so no change at all is at least as likely as if each came independently.
    const confidence = Math.exp(-expectedMissed);
    return {
      directory: history.tree.path(directory),
      pages: pages[place] as number,
      reason: reasons(directory) ?? { kind: 'predicted', changeProbability: 1 - confidence },
      expectedMissed,
      confidence,
      lastSeen: oldest.get(directory) ?? history.timeOf(history.lastSeen(directory)),
    };
  });
  return { kind: 'plan', skips, promisedMiss, validation };
}

/** Shares renormalised after what the sitemap says of each directory. */
function withSitemap(
  shares: Float64Array,
  directories: Int32Array,
  word: SitemapWord | undefined,
): Float64Array {
  if (word === undefined) return shares;
  const told = shares.map((share, i) => share * word.factor(directories[i] as number));
  const sum = told.reduce((a, b) => a + b, 0);
  return sum === 0 ? shares : told.map((share) => share / sum);
}

/** Mean number of changed pages found per transition; pages not looked at count as unchanged. */
function meanChanges(history: DirectoryHistory): number {
  let changed = 0;
  for (let t = 0; t < history.transitions; t++) {
    const { inserted, deleted, updated, span } = history.observations(t);
    for (let d = 0; d < span.length; d++)
      if (span[d] !== 0) changed += (inserted[d] as number) + (deleted[d] as number) + (updated[d] as number);
  }
  return changed / Math.max(1, history.transitions);
}

/** By directory: when its pages were last seen, by the one seen longest ago. */
function oldestSightings(
  history: DirectoryHistory,
  pinned: ReadonlySet<string>,
  lastSeen: ReadonlyMap<string, Millis> = new Map(),
): ReadonlyMap<number, Millis> {
  const oldest = new Map<number, Millis>();
  for (const [url, seen] of lastSeen) {
    const directory = pinned.has(url) ? undefined : history.directoryOf(url);
    if (directory !== undefined) oldest.set(directory, Math.min(seen, oldest.get(directory) ?? seen));
  }
  return oldest;
}

function pinnedPages(history: DirectoryHistory, urls: ReadonlySet<string>): Map<number, number> {
  const pinned = new Map<number, number>();
  for (const url of urls) {
    const directory = history.directoryOf(url);
    if (directory !== undefined) pinned.set(directory, (pinned.get(directory) ?? 0) + 1);
  }
  return pinned;
}
