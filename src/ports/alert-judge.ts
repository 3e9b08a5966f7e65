import type { Alert } from '../model/alert.ts';
import type { Change } from '../model/change.ts';
import type { Visit } from '../model/crawl.ts';
import type { Millis } from '../model/time.ts';

/** What a visit of a page found, before it is stored: everything that rules on alerts look at. */
export interface VisitFinding {
  readonly url: string;
  /** When the request was sent: the time of the capture, where there is one. */
  readonly at: Millis;
  /** `elsewhere`: the answer was a redirect. */
  readonly found: 'there' | 'gone' | 'error' | 'elsewhere';
  readonly status?: number;
  readonly fault?: NonNullable<Visit['fault']>;
  /** Against the last archived version. */
  readonly change?: Change;
  /** What a browser showed, as `unpackSnapshot` reads it; absent where the page was not shown, or is unchanged. */
  readonly snapshot?: string;
  /** The whole Vi-Delta of the change. */
  readonly viDelta?: string;
  /** Size of the version in bytes; absent where it is the version of the visit before. */
  readonly size?: number;
}

/**
 * Evaluates rules on a visit: the alerts are stored with it, in one transaction. Called once for each visit that
 * is settled.
 */
export type AlertJudge = (finding: VisitFinding) => Promise<readonly Alert[]>;
