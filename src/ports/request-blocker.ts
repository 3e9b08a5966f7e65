import type { RequestType } from '../model/block-rule.ts';
import type { SkipReason } from '../model/fault.ts';

/** A request that a page is about to make. */
export interface PageRequest {
  readonly url: string;
  readonly type: RequestType;
  /** The page that is visited. */
  readonly pageUrl: string;
  /** The frame that makes the request; for a frame's own document, the frame around it. If absent, the page itself. */
  readonly frameUrl?: string;
}

export interface BlockVerdict {
  readonly reason: Extract<SkipReason, 'blocked' | 'advertisement'>;
  /** As written in the configuration, or in a filter list. */
  readonly rule: string;
}

/** Decides what a page may not request. */
export interface RequestBlocker {
  judge(request: PageRequest): BlockVerdict | undefined;
}
