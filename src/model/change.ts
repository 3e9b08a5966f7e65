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
  /** How much a reader would want to be told of it, in [0, 1], and why; absent for deltas made before it was computed. */
  readonly salience?: number;
  readonly why?: string;
  /** One of the layouts showed only part of the page: there may be more changes, and the importance may be higher. */
  readonly partial?: true;
  /** Most salient first; heaviest first where salience is not known. */
  readonly operations: readonly ChangeOperation[];
  /** Which blocks carried on under which name, and which of them changed: the history of blocks is built from it. */
  readonly course: BlockCourse;
}

export const OPERATION_NAMES: readonly OperationName[] = ['insert', 'delete', 'update', 'move'];
export const CHANGED_ELEMENTS: readonly ChangedElement[] = ['link', 'image', 'text', 'block'];

export type ChangedElement = Operation['element'];

/** One operation of a delta; long texts are cut. */
export interface ChangeOperation {
  readonly op: OperationName;
  readonly element: ChangedElement;
  /** Ref in the new layout; for a deletion, in the old one. */
  readonly block: string;
  /** For a move: ref in the old layout. Not kept in the catalog. */
  readonly from?: string;
  /** Share of the change's importance. */
  readonly weight: number;
  /** s: the change's salience is 1 − Π (1 − s) over all operations. */
  readonly salience?: number;
  /** What readers saw: the name of a link or picture, a text, the texts of a block. */
  readonly old?: string;
  readonly new?: string;
  /** Where a link led, or a picture came from. */
  readonly oldAddress?: string;
  readonly newAddress?: string;
  readonly advertisement?: true;
}

/** Refs of blocks; blocks not named here stayed as they were. */
export interface BlockCourse {
  /** Refs in the new layout. */
  readonly changed: readonly string[];
  readonly renamed: readonly (readonly [old: string, now: string])[];
  readonly came: readonly string[];
  readonly went: readonly string[];
}

/** What the archive knows of a page's past, newest last, as far back as was asked for. */
export interface PageCourse {
  readonly visits: readonly Millis[];
  readonly changes: readonly { readonly at: Millis; readonly course: BlockCourse }[];
}
