/**
 * A template: a page's raw HTML tree, with what a browser made of each node of it (its box and style, or nothing),
 * and the blocks the page was cut into. Plain data, in columns: it is kept as JSON.
 */
import type { Box, SnapshotStyle } from '../../../model/page-snapshot.ts';
import type { Surroundings } from './sketch.ts';

export const HIDDEN = 0;
export const SHOWN = 1;
/** By a script, without content. */
export const ADDED = 2;
/** Not shown, and with nothing in it that could show: whether a style sheet hides it is not known. */
export const EMPTY = 3;

export interface PageTemplate {
  readonly format: 1;
  /** `Segmenter.name`. */
  readonly segmenter: string;
  readonly url: string;
  /** `Layout.version` of the page it was learned from: that of the boxes. */
  readonly version: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly page: { readonly width: number; readonly height: number };
  readonly surroundings: Surroundings;
  readonly styles: readonly SnapshotStyle[];
  readonly keys: readonly string[];
  readonly rules: readonly string[];
  /** Nodes in document order, the body first. Of what is hidden only the outermost element. */
  readonly nodes: TemplateColumns;
  readonly cut: TemplateBlock;
  /** `Layout.memory` of the page it was learned from: a later version is cut along it. */
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
  /** Index in `styles`; -1 for texts and what is hidden. */
  readonly style: readonly number[];
  /** Index in `rules`, of pictures; -1 for the rest. */
  readonly rule: readonly number[];
  /** UTF-16 units of a text. */
  readonly length: readonly number[];
  /** Of a text: 1 where it begins a line below the text before it, without a `br` that says so. */
  readonly wraps: readonly number[];
  /** The leaf block, counted in document order, that it belongs to; -1 for none. */
  readonly leaf: readonly number[];
}

export interface TemplateBlock {
  readonly box: Box;
  readonly doc: number;
  readonly importance: number;
  /** Template nodes whose subtrees make it up. */
  readonly nodes: readonly number[];
  readonly blocks: readonly TemplateBlock[];
}
