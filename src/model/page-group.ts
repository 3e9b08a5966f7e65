/**
 * Pages that must agree, since a reader of one meets on another what the first says:
 * - `index`: a page and those whose headlines it shows;
 * - `list`: the parts of a list that continues from page to page;
 * - `shared-text`: pages that show the same text or numbers, which change.
 */
export const GROUP_KINDS = ['index', 'list', 'shared-text'] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

export interface PageGroup {
  readonly kind: GroupKind;
  /** URLs, each once. The index page, or the first part of the list, comes first. */
  readonly pages: readonly string[];
}
