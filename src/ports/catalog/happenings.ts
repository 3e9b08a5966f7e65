import type { Visit } from '../../model/crawl.ts';
import type { StoredAlert } from './alerts.ts';
import type { ChangeSummary } from './changes.ts';

/** How far a reader has read: numbers of the last visit, change and alert. */
export interface HappeningMark {
  readonly visits: number;
  readonly changes: number;
  readonly alerts: number;
}

/** A visit with the number that marks refer to. */
export interface NumberedVisit {
  readonly number: number;
  readonly visit: Visit;
}

/** What came into the catalog, with the mark of a reader who has read up to it. */
export type Happening = { readonly mark: HappeningMark } & (
  | { readonly kind: 'visit'; readonly crawlId: number; readonly visit: Visit }
  | { readonly kind: 'change'; readonly change: Omit<ChangeSummary, 'operations'> }
  | { readonly kind: 'alert'; readonly alert: StoredAlert }
);

/** What happens while somebody is watching, whichever process writes it. */
export interface HappeningCatalog {
  /** Differs whenever anything was written since, by whichever process; may also differ where nothing was. */
  stateMark(): Promise<string>;
  happeningMark(): Promise<HappeningMark>;
  /**
   * Those after the mark, at most `limit` of each kind. Visits that have been kept in short form since their crawl
   * ended are skipped (finishedVisits); a mark that lies ahead, from an earlier catalog, restarts at the present state.
   */
  happenings(after: HappeningMark, limit: number): Promise<readonly Happening[]>;
  /**
   * The newest `limit` of the visits that a crawl has kept in short form since it ended, with numbers after this one;
   * in order.
   */
  finishedVisits(crawlId: number, after: number, limit: number): Promise<readonly NumberedVisit[]>;
}
