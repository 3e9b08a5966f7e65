import type { EntryKind, FrontierEntry, Skip } from '../../model/crawl.ts';

export interface FrontierUrl {
  readonly url: string;
  readonly kind: EntryKind;
  readonly isSeed: boolean;
}

/** A part of the pending entries of a host. */
export interface RankRange {
  /** Ranks in [from, to); all where absent. */
  readonly from?: number;
  readonly to?: number;
  /** Entries of the range to skip. */
  readonly offset?: number;
}

/** Entries of a host that are alike: tells a resumed crawl how far it was. */
export interface HostCount {
  readonly host: string;
  readonly kind: FrontierEntry['kind'];
  readonly depth: number;
  readonly band: 'at-once' | 'pages' | 'reserve';
  readonly isPending: boolean;
  readonly entries: number;
}

/** What a running crawl knows, and has left to do. */
export interface FrontierCatalog {
  /** Pending entries of a host, lowest rank first. */
  pending(crawlId: number, host: string, limit: number, range?: RankRange): Promise<readonly FrontierEntry[]>;
  /** The whole frontier of a crawl in numbers, without skips. */
  hostCounts(crawlId: number): Promise<readonly HostCount[]>;
  /** Every URL in the frontier of an unfinished crawl, settled or not, without skips: what it must learn again. */
  frontierUrls(crawlId: number): AsyncIterable<FrontierUrl>;
  /** Turns every pending entry into a skip with this reason: how a limit ends a crawl. Returns how many. */
  skipPending(crawlId: number, reason: Skip['reason'], detail: string): Promise<number>;
}
