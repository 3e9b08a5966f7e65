import type { RequestType } from '../model/block-rule.ts';
import type { SkipReason } from '../model/fault.ts';

/** A request that a page is about to make. */
export interface PageRequest {
  readonly url: string;
  readonly type: RequestType;
  /** The page that is visited. */
  readonly pageUrl: string;
  /** The frame that asks: of the document of a frame the one around it. The page itself where absent. */
  readonly frameUrl?: string;
}

export interface BlockVerdict {
  readonly reason: Extract<SkipReason, 'blocked' | 'advertisement'>;
  /** As it was written: in the configuration, or in a filter list. */
  readonly rule: string;
}

/** Says what of a page is not asked for. */
export interface RequestBlocker {
  judge(request: PageRequest): BlockVerdict | undefined;
}
