import type { Change, ChangedElement, PageCourse } from '../../model/change.ts';
import type { OperationName } from '../../model/delta.ts';
import type { Millis } from '../../model/time.ts';

export interface ChangeQuery {
  readonly url?: string;
  readonly site?: string;
  /** By the later of the two captures. */
  readonly since?: Millis;
  readonly until?: Millis;
  readonly minImportance?: number;
  /** Changes whose salience is not known are left out. */
  readonly minSalience?: number;
  /** Changes with an operation that is all of these; its words stand in old or new text or address. */
  readonly op?: OperationName;
  readonly element?: ChangedElement;
  readonly text?: string;
  /** By salience unless given: changes whose salience is not known come after all others, by importance. */
  readonly sort?: 'salience' | 'importance' | 'time';
  /** Which operations come first, and which number says how much there is to a change. Salience unless given. */
  readonly by?: 'salience' | 'importance';
  readonly limit?: number;
  readonly offset?: number;
  /** Those alone that come after this one, in the order that is asked for. */
  readonly after?: ChangePlace;
  /** Only what a reader sees: deltas that tell them nothing are left out. */
  readonly seen?: true;
  /** Operations per change, the first ones. */
  readonly operationLimit?: number;
}

/** Where a change stands in the lists, whatever they are sorted by. */
export type ChangePlace = Pick<Change, 'url' | 'to' | 'importance' | 'salience'>;

export interface ChangeSummary extends Omit<Change, 'course'> {
  /** Of all its operations, not only of those that were asked for. */
  readonly count: number;
}

/** What changed on pages. */
export interface ChangeCatalog {
  changes(query: ChangeQuery): Promise<readonly ChangeSummary[]>;
  /** The last `limit` visits of a page, those before a time where one is given, and the changes they found. */
  pageCourse(url: string, limit: number, before?: Millis): Promise<PageCourse>;
}
