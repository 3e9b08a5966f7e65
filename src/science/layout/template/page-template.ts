/**
 * A template: a page's raw HTML tree, with what a browser made of each node (its box and style, or nothing), and the
 * blocks the page was cut into. Plain data, in columns: it is stored as JSON.
 */
import type { Box, SnapshotStyle } from '../../../model/page-snapshot.ts';
import type { Surroundings } from './sketch.ts';

export const HIDDEN = 0;
export const SHOWN = 1;
/** Added by a script, without content. */
export const ADDED = 2;
/** Not shown, and empty of anything that could show: whether a style sheet hides it is unknown. */
export const EMPTY = 3;

export interface PageTemplate {
  readonly format: 1;
  /** `Segmenter.name`. */
  readonly segmenter: string;
  readonly url: string;
  /** `Layout.version` of the page it was learned from, to which the boxes belong. */
  readonly version: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly page: { readonly width: number; readonly height: number };
  readonly surroundings: Surroundings;
  readonly styles: readonly SnapshotStyle[];
  readonly keys: readonly string[];
  readonly rules: readonly string[];
  /** Nodes in document order, the body first. Of a hidden subtree, only the outermost element. */
  readonly nodes: TemplateColumns;
  readonly cut: TemplateBlock;
  /** `Layout.memory` of the page it was learned from: later versions are cut along it. */
  readonly memory: string | undefined;
}

export interface TemplateColumns {
  /** Index; -1 for the body. */
  readonly parent: readonly number[];
  /** '' for a text. */
  readonly tag: readonly string[];
  /** Index in `keys`. */
  readonly key: readonly number[];
  readonly state: readonly number[];
  readonly box: readonly Box[];
  /** Index in `styles`; -1 for texts and hidden elements. */
  readonly style: readonly number[];
  /** For pictures, index in `rules`; -1 for other nodes. */
  readonly rule: readonly number[];
  /** Length of a text in UTF-16 units. */
  readonly length: readonly number[];
  /** For a text: 1 where it begins a line below the text before it, without a `br` to say so. */
  readonly wraps: readonly number[];
  /** Index of its leaf block in document order; -1 for none. */
  readonly leaf: readonly number[];
}

export interface TemplateBlock {
  readonly box: Box;
  readonly doc: number;
  readonly importance: number;
  /** Template nodes whose subtrees make up the block. */
  readonly nodes: readonly number[];
  readonly blocks: readonly TemplateBlock[];
}
