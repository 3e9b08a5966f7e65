import type { EntryKind, FrontierEntry, NewFrontierEntry, Skip, Visit } from '../../model/crawl.ts';
import type { SkipReason } from '../../model/fault.ts';
import type { AnsweredVisit } from './history.ts';

/** One URL of a crawl with all that came of it: a line of the crawl's log. */
export interface FrontierLogEntry extends NewFrontierEntry {
  readonly state: 'pending' | 'captured' | 'unchanged' | 'dropped' | 'failed' | 'skipped';
  /** Set when the state is `skipped`. */
  readonly skip?: { readonly reason: SkipReason; readonly detail: string };
  /** In the order they were made. */
  readonly visits: readonly Visit[];
}

export interface FrontierUrl {
  readonly url: string;
  readonly kind: EntryKind;
  readonly isSeed: boolean;
}

/** A part of a crawl's log. */
export interface LogPart {
  /** Entries in this state alone. */
  readonly state?: 'failed';
  /** The first so many. */
  readonly limit?: number;
}

/** A part of the pending entries of a host. */
export interface RankRange {
  /** Ranks from this, below that; all when absent. */
  readonly from?: number;
  readonly to?: number;
  /** Entries of the range to pass over. */
  readonly offset?: number;
}

/** Entries of a host that are alike: how a resumed crawl learns how far it was. */
export interface HostCount {
  readonly host: string;
  readonly kind: FrontierEntry['kind'];
  readonly depth: number;
  readonly band: 'at-once' | 'pages' | 'reserve';
  readonly isPending: boolean;
  readonly entries: number;
}

/** What a crawl that is under way knows, has done and has left to do. */
export interface FrontierCatalog {
  /** Pending entries of a host, lowest rank first. */
  pending(crawlId: number, host: string, limit: number, range?: RankRange): Promise<readonly FrontierEntry[]>;
  /** The whole frontier of a crawl in numbers, skips left out. */
  hostCounts(crawlId: number): Promise<readonly HostCount[]>;
  /** Pages of a host that were visited and stand in no second pass yet. */
  unplannedRevisits(crawlId: number, host: string): Promise<readonly AnsweredVisit[]>;
  /** Every URL of the frontier of a crawl that is not finished, settled or not, skips left out: what it must know again. */
  frontierUrls(crawlId: number): AsyncIterable<FrontierUrl>;
  /** The whole frontier with its visits, in the order it grew: written into the records when a crawl ends. */
  frontierLog(crawlId: number, part?: LogPart): AsyncIterable<FrontierLogEntry>;
  /** Turns every pending entry into a skip of this reason: how a limit ends a crawl. Returns how many. */
  skipPending(crawlId: number, reason: Skip['reason'], detail: string): Promise<number>;
}
