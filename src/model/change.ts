import type { Operation, OperationName } from './delta.ts';
import type { Millis } from './time.ts';

/** What changed on a page between two archived versions, as the catalog keeps it: a digest of the page's delta. */
export interface Change {
  readonly url: string;
  /** Times of the captures it lies between. */
  readonly from: Millis;
  readonly to: Millis;
  /** In [0, 1]. */
  readonly importance: number;
  /** How much a reader would want to be told of it, in [0, 1], and why; absent of deltas from before it was computed. */
  readonly salience?: number;
  readonly why?: string;
  /** A layout showed only a part of the page: there may be more changes, and the importance may be higher. */
  readonly partial?: true;
  /** The most salient first; where it is not known, the heaviest. */
  readonly operations: readonly ChangeOperation[];
  /** Which blocks carried on under which name, and which of them changed: the history of blocks is told from it. */
  readonly course: BlockCourse;
}

export const OPERATION_NAMES: readonly OperationName[] = ['insert', 'delete', 'update', 'move'];
export const CHANGED_ELEMENTS: readonly ChangedElement[] = ['link', 'image', 'text', 'block'];

export type ChangedElement = Operation['element'];

/** One operation of a delta; long texts are cut. */
export interface ChangeOperation {
  readonly op: OperationName;
  readonly element: ChangedElement;
  /** Ref in the new layout; of what was deleted, in the old one. */
  readonly block: string;
  /** Of what moved: ref in the old layout. The catalog does not keep it. */
  readonly from?: string;
  /** Share of the change's importance. */
  readonly weight: number;
  /** Its part in the change's salience: 1 − Π (1 − s) over all operations. */
  readonly salience?: number;
  /** What readers saw: the name of a link or picture, a text, the texts of a block. */
  readonly old?: string;
  readonly new?: string;
  /** Where a link led, where a picture came from. */
  readonly oldAddress?: string;
  readonly newAddress?: string;
  readonly advertisement?: true;
}

/** Refs of blocks; those it does not name stayed as they were. */
export interface BlockCourse {
  /** Refs in the new layout. */
  readonly changed: readonly string[];
  readonly renamed: readonly (readonly [old: string, now: string])[];
  readonly came: readonly string[];
  readonly went: readonly string[];
}

/** What the archive knows of a page's past, newest last, as far back as it is asked for. */
export interface PageCourse {
  readonly visits: readonly Millis[];
  readonly changes: readonly { readonly at: Millis; readonly course: BlockCourse }[];
}
