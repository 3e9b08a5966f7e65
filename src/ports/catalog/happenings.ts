import type { Visit } from '../../model/crawl.ts';
import type { StoredAlert } from './alerts.ts';
import type { ChangeSummary } from './changes.ts';

/** How far somebody has read: numbers of the last visit, change and alert. */
export interface HappeningMark {
  readonly visits: number;
  readonly changes: number;
  readonly alerts: number;
}

/** A visit with the number that marks go by. */
export interface NumberedVisit {
  readonly number: number;
  readonly visit: Visit;
}

/** What came into the catalog, with the mark of whoever has read up to it. */
export type Happening = { readonly mark: HappeningMark } & (
  | { readonly kind: 'visit'; readonly crawlId: number; readonly visit: Visit }
  | { readonly kind: 'change'; readonly change: Omit<ChangeSummary, 'operations'> }
  | { readonly kind: 'alert'; readonly alert: StoredAlert }
);

/** What happens while somebody looks on, whoever writes it. */
export interface HappeningCatalog {
  /** Another text whenever anything was written since, whoever wrote it; perhaps also where nothing was. */
  stateMark(): Promise<string>;
  happeningMark(): Promise<HappeningMark>;
  /**
   * After the mark, at most so many of each kind. Visits that are kept in short since their crawl ended are passed over (finishedVisits);
   * a mark that lies ahead, of a catalog that was there before, begins anew at what there is.
   */
  happenings(after: HappeningMark, limit: number): Promise<readonly Happening[]>;
  /** The newest so many of those that a crawl has kept in short since it ended, of numbers after this one; in their order. */
  finishedVisits(crawlId: number, after: number, limit: number): Promise<readonly NumberedVisit[]>;
}
