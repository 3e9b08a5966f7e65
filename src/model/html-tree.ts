/**
 * The tree that an HTML text describes, before any script or style sheet takes effect. Flat and in document order, like
 * a PageSnapshot: a subtree is the nodes from its root to its `end`.
 */

export interface HtmlElement {
  readonly kind: 'element';
  /** Index in `nodes`, always smaller than the node's own; -1 for the root. */
  readonly parent: number;
  /** Index of the first node after the subtree. */
  readonly end: number;
  /** Lower case. */
  readonly tag: string;
  /** Names in lower case, values decoded. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface HtmlText {
  readonly kind: 'text';
  readonly parent: number;
  readonly end: number;
  /** Decoded, white space as written. Adjacent texts are one, unless a comment stands between them. */
  readonly text: string;
}

export type HtmlNode = HtmlElement | HtmlText;

export interface HtmlTree {
  /** The html element first. Comments are left out. */
  readonly nodes: readonly HtmlNode[];
  /** Markup that browsers are known to read differently from this reader: if there is any, nothing relies on the tree. */
  readonly doubts: readonly string[];
}
