import type { Change, ChangedElement, PageCourse } from '../../model/change.ts';
import type { OperationName } from '../../model/delta.ts';
import type { Millis } from '../../model/time.ts';

export interface ChangeQuery {
  readonly url?: string;
  readonly site?: string;
  /** By the time of the later of the two captures. */
  readonly since?: Millis;
  readonly until?: Millis;
  readonly minImportance?: number;
  /** Changes with unknown salience are left out. */
  readonly minSalience?: number;
  /** Changes with an operation that meets all of these; its words occur in old or new text or address. */
  readonly op?: OperationName;
  readonly element?: ChangedElement;
  readonly text?: string;
  /** By salience unless given: changes with unknown salience come after all others, by importance. */
  readonly sort?: 'salience' | 'importance' | 'time';
  /** Which operations come first, and which number measures the size of a change. Salience unless given. */
  readonly by?: 'salience' | 'importance';
  readonly limit?: number;
  readonly offset?: number;
  /** Only those that come after this one, in the requested order. */
  readonly after?: ChangePlace;
  /** Only what a reader sees: deltas that mean nothing to a reader are left out. */
  readonly seen?: true;
  /** At most this many operations per change: the first ones. */
  readonly operationLimit?: number;
}

/** A change's place in the lists, whatever they are sorted by. */
export type ChangePlace = Pick<Change, 'url' | 'to' | 'importance' | 'salience'>;

export interface ChangeSummary extends Omit<Change, 'course'> {
  /** Of all its operations, not only the requested ones. */
  readonly count: number;
}

/** What changed on pages. */
export interface ChangeCatalog {
  changes(query: ChangeQuery): Promise<readonly ChangeSummary[]>;
  /** The last `limit` visits of a page, before `before` where given, and the changes they found. */
  pageCourse(url: string, limit: number, before?: Millis): Promise<PageCourse>;
}
