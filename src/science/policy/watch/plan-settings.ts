import type { Millis } from '../../../model/time.ts';
import type { WatchBudget } from '../../../model/watch.ts';
import type { RefreshPolicy } from '../refresh/policy.ts';
import type { CapturedSite } from './captures.ts';

export interface PlanSettings {
  readonly budget: WatchBudget;
  /** Ranks pages; `exploring(expectedGain())` unless a rival is measured. */
  readonly policy: RefreshPolicy;
  /** Every page is visited at least this often: hours. */
  readonly floor?: number;
  readonly shares?: { readonly discovery?: number; readonly audit?: number };
  /** κ: how many versions of a page it is worth to have the page sharp, together with its site. */
  readonly together?: number;
  /** Requests per hour of individual sites. */
  readonly siteBudgets?: ReadonlyMap<string, number>;
  /** Whether a site may be visited at this time. */
  readonly isOpen?: (site: string, at: Millis) => boolean;
}

export const DEFAULT_AUDIT = 0.02;
export const DEFAULT_TOGETHER = 1;

export interface PlanInput {
  readonly now: Millis;
  readonly sites?: readonly CapturedSite[];
  /** Sites being captured now. */
  readonly capturing?: ReadonlySet<string>;
  /** Only what cannot wait for the next round: forced pages and signalled ones. */
  readonly between?: boolean;
}
