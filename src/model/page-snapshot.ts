/**
 * What a browser showed of a page, as plain data: one walk of the rendered tree. Segmentation is a pure function
 * of it and never touches a browser; it is kept with the capture, so that old captures can be segmented again.
 *
 * The tree is flattened: shadow roots and slots stand where they are shown, same-origin frames are recursed into with
 * their offset, `display: contents` is skipped. Coordinates are CSS pixels of the page, not of the window.
 */

/** Left, top, width, height. */
export type Box = readonly [x: number, y: number, width: number, height: number];

/** Computed style of an element; a page has few different ones, so nodes refer to them by index. */
export interface SnapshotStyle {
  readonly display: string;
  readonly position: 'static' | 'relative' | 'absolute' | 'fixed' | 'sticky';
  readonly float: 'none' | 'left' | 'right';
  /** `#rrggbb`, resolved: a transparent background takes that of the nearest opaque ancestor. */
  readonly background: string;
  /** Whether the element itself paints: a background colour or picture of its own. */
  readonly paints: boolean;
  readonly backgroundImage: boolean;
  /** `#rrggbb` of the text. */
  readonly color: string;
  /** Pixels. */
  readonly fontSize: number;
  /** 100 to 900. */
  readonly fontWeight: number;
  readonly fontFamily: string;
  /** Whether a border is drawn on each side: top, right, bottom, left. */
  readonly borders: readonly [boolean, boolean, boolean, boolean];
}

interface Placed {
  /** Index in `nodes`, always smaller than the node's own; -1 for the root. */
  readonly parent: number;
  readonly box: Box;
}

export interface SnapshotElement extends Placed {
  readonly kind: 'element';
  /** Lower case. */
  readonly tag: string;
  /** Index in `styles`. */
  readonly style: number;
  /** Informative attributes: id, class, role, aria-label, href, src, alt, title, type, name, data-block…; URLs absolute. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface SnapshotText extends Placed {
  readonly kind: 'text';
  /** As rendered, whitespace collapsed; never empty. The style is the parent's. */
  readonly text: string;
}

export type SnapshotNode = SnapshotElement | SnapshotText;

export interface PageSnapshot {
  readonly format: 1;
  readonly url: string;
  readonly title: string;
  /** `lang` of the document, '' when it has none. */
  readonly language: string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** The whole page. */
  readonly page: { readonly width: number; readonly height: number };
  readonly styles: readonly SnapshotStyle[];
  /** Document order, the body first: each parent stands before its children. Elements not rendered are left out. */
  readonly nodes: readonly SnapshotNode[];
  /** Why it ends before the page does; absent where all was seen. */
  readonly cut?: string;
  /** What is not in the snapshot, and why: foreign frames, nodes past the limit. */
  readonly facts: readonly string[];
}
