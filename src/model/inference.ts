import type { Millis } from './time.ts';

/**
 * Why the pages of a directory are taken for unchanged:
 *   near           a negative rule: while the directories of its head change, it does not
 *   relaxed-near   the same where no correlation can be told, since one side always or never changed
 *   quiet          nothing changed in the last looks at it
 *   predicted      few changes are expected, by its rate and its pattern
 *   sitemap        the site's sitemap says so, and was right before
 *   mirror         its site mirrors another, and a sample of it still did
 */
export const INFERENCE_REASONS = ['near', 'relaxed-near', 'quiet', 'predicted', 'sitemap', 'mirror'] as const;
export type InferenceReason = (typeof INFERENCE_REASONS)[number];

/** Whether it follows from the page's own past: that a mirror shows what its origin shows is a statement on two sites, by a sample. */
export const isByRule = (reason: InferenceReason): boolean => reason !== 'mirror';

/**
 * held → inferred   the directories of its head were visited, and they changed; the sample of the mirror agreed
 * held → visited    they did not: its pages are visited after all
 */
export const INFERENCE_STATES = ['held', 'inferred', 'visited'] as const;
export type InferenceState = (typeof INFERENCE_STATES)[number];

/** A directory whose known pages a crawl left as they are archived: a decision, with what it is expected to cost. */
export interface InferredDirectory {
  readonly site: string;
  /** `/a/b/`: the pages lying directly in it. A subtree is several. */
  readonly directory: string;
  readonly reason: InferenceReason;
  /** In words. */
  readonly rule: string;
  /**
   * Directories that are assumed to have changed by at least `alpha`; of a mirror: a sample of its pages, at least a share
   * `alpha` of which shows what `origin` (`https://example.org`) shows. Absent where nothing is assumed.
   */
  readonly assumes?: { readonly head: readonly string[]; readonly alpha: number; readonly origin?: string };
  /** Pages expected to have changed there, come or gone; of a mirror: to show what its origin does not. */
  readonly expectedMissed: number;
  /** Chance that nothing is missed there. */
  readonly confidence: number;
  /** When its pages were last seen: of the one that was not seen for longest. Of a mirror: those never visited, at the origin. */
  readonly lastSeen: Millis;
  readonly state: InferenceState;
  /** The pages that keep their archived version. */
  readonly urls: readonly string[];
}

/**
 * A directory with pages that this archive does not hold, and did not fetch: the history of another tells of them, and by a
 * rule they have not changed since. A crawl covers them virtually: it names the archive that has their records, and proves nothing.
 */
export interface VirtualDirectory extends Pick<InferredDirectory, 'site' | 'directory' | 'reason' | 'rule'> {
  /** Pages expected to have changed there, come or gone. */
  readonly expectedMissed: number;
  /** Id of the archive that holds them. */
  readonly heldBy: string;
  readonly urls: readonly string[];
}

/** What a crawl may leave out, and what never. */
export interface SkipRulesSpec {
  /** Share of the pages changed since their last visit that may be missed, in [0, 1]. */
  readonly missAtMost: number;
  /** A directory is visited again after at most so many crawls. */
  readonly refreshEvery: number;
  /** Regular expressions of URLs that are always visited. */
  readonly pin: readonly string[];
}
