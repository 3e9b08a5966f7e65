import type { Millis } from '../../model/time.ts';
import type { SeenVisit, WatchAccount } from '../../model/watch.ts';
import type { SlotOptions } from '../../science/patterns/slots.ts';
import type { RefreshPolicy } from '../../science/policy/refresh/policy.ts';
import type { ForcedShortage } from '../../science/policy/watch/fixed-visits.ts';
import type { PageOutlook } from '../../science/policy/watch/outlook.ts';
import type { PlannedRound } from '../../science/policy/watch/plan.ts';
import type { PlanSettings } from '../../science/policy/watch/plan-settings.ts';
import type { Objective } from '../../science/quality/completeness.ts';

export interface WatchSettings extends Omit<PlanSettings, 'policy'> {
  /** Milliseconds from round to round. */
  readonly round?: number;
  readonly objective?: Objective;
  /** Hours over which completeness is to be good. */
  readonly horizon?: number;
  /** That ranks pages; `expected-gain` unless a rival is measured. */
  readonly policy?: string | RefreshPolicy;
  /** Time zone and days off of a site. */
  readonly slotsOf?: (site: string) => SlotOptions;
  /** Milliseconds after which the archive's pages are listed anew. */
  readonly relistEvery?: number;
}

export interface TickReport extends PlannedRound {
  readonly at: Millis;
  readonly seen: readonly SeenVisit[];
}

export interface Watch {
  /** Until the signal fires; what is under way then is ended as `visit` ends it. Rejects where a port does. */
  run(signal: AbortSignal, onTick?: (report: TickReport) => void): Promise<void>;
  /** One round now. */
  tick(signal?: AbortSignal): Promise<TickReport>;
  /** The rounds of the next hours, as if every visit found what is expected. Nothing is visited. */
  planAhead(hours: number): Promise<readonly { readonly at: Millis; readonly round: PlannedRound }[]>;
  explain(url: string): PageOutlook | undefined;
  /** Forced frequencies that the budget does not suffice for. */
  shortages(): readonly ForcedShortage[];
  reconfigure(settings: WatchSettings): Promise<void>;
  account(): WatchAccount & Spendable;
  /** Somebody spoke up: the next round need not be waited for. */
  wake(): void;
}

/** What is left. */
export interface Spendable {
  readonly balance: number;
  readonly price: number | null;
  readonly bytesLeft?: number;
  readonly pages: number;
}
