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
  /** Changes with an operation that is all of these; its words stand in old or new text or address. */
  readonly op?: OperationName;
  readonly element?: ChangedElement;
  readonly text?: string;
  /** By importance unless given. */
  readonly sort?: 'importance' | 'time';
  readonly limit?: number;
  readonly offset?: number;
  /** Operations per change, the heaviest. */
  readonly operationLimit?: number;
}

export interface ChangeSummary extends Omit<Change, 'course'> {
  /** Of all its operations, not only of those that were asked for. */
  readonly count: number;
}

/** What changed on pages. */
export interface ChangeCatalog {
  changes(query: ChangeQuery): Promise<readonly ChangeSummary[]>;
  /** The last `limit` visits of a page and the changes they found. */
  pageCourse(url: string, limit: number): Promise<PageCourse>;
}
