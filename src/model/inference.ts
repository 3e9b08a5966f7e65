import type { Millis } from './time.ts';

/**
 * Why the pages of a directory are taken for unchanged:
 *   near           a negative rule: while the directories of its head change, it does not
 *   relaxed-near   the same where no correlation can be computed, since one side always or never changed
 *   quiet          nothing changed in the last looks at it
 *   predicted      few changes are expected, by its rate and its pattern
 *   sitemap        the site's sitemap says so, and was right before
 *   mirror         its site mirrors another, and a sample of it still did
 */
export const INFERENCE_REASONS = ['near', 'relaxed-near', 'quiet', 'predicted', 'sitemap', 'mirror'] as const;
export type InferenceReason = (typeof INFERENCE_REASONS)[number];

/** Whether it follows from the page's own past: that a mirror shows what its origin shows is a claim about two sites, by sample. */
export const isByRule = (reason: InferenceReason): boolean => reason !== 'mirror';

/**
 * held → inferred   the directories of its head were visited and had changed; the mirror's sample agreed
 * held → visited    they had not: its pages are visited after all
 */
export const INFERENCE_STATES = ['held', 'inferred', 'visited'] as const;
export type InferenceState = (typeof INFERENCE_STATES)[number];

/** A directory whose known pages a crawl left as archived: a decision, with its expected cost. */
export interface InferredDirectory {
  readonly site: string;
  /** `/a/b/`: the pages directly in it. A subtree is several directories. */
  readonly directory: string;
  readonly reason: InferenceReason;
  /** In words. */
  readonly rule: string;
  /**
   * Directories assumed to have changed by at least `alpha`; for a mirror: a sample of its pages, of which at least a share
   * `alpha` shows what `origin` (`https://example.org`) shows. Absent where nothing is assumed.
   */
  readonly assumes?: { readonly head: readonly string[]; readonly alpha: number; readonly origin?: string };
  /** Pages expected to have changed, appeared or vanished there; for a mirror: to differ from its origin. */
  readonly expectedMissed: number;
  /** Chance that nothing is missed there. */
  readonly confidence: number;
  /** When its pages were last seen, by the one seen longest ago. For a mirror's pages that were never visited: at the origin. */
  readonly lastSeen: Millis;
  readonly state: InferenceState;
  /** The pages that keep their archived version. */
  readonly urls: readonly string[];
}

/**
 * A directory with pages that this archive does not hold and did not fetch: another archive's history reports them, and by a
 * rule they have not changed since. A crawl covers them virtually: it names the archive that has their records, and proves nothing.
 */
export interface VirtualDirectory extends Pick<InferredDirectory, 'site' | 'directory' | 'reason' | 'rule'> {
  /** Pages expected to have changed, appeared or vanished there. */
  readonly expectedMissed: number;
  /** Id of the archive that holds them. */
  readonly heldBy: string;
  readonly urls: readonly string[];
}

/** What a crawl may leave out, and what it never may. */
export interface SkipRulesSpec {
  /** Share of the pages changed since their last visit that may be missed, in [0, 1]. */
  readonly missAtMost: number;
  /** A directory is visited again after at most this many crawls. */
  readonly refreshEvery: number;
  /** Regular expressions for URLs that are always visited. */
  readonly pin: readonly string[];
}
