/** What a page says of itself and of others, as far as its HTML tells: used to find pages that must agree. */
export interface PageWording {
  /** Its title and its first headings, single-spaced. */
  readonly names: readonly string[];
  /** In document order; each label as a reader sees it, single-spaced. */
  readonly links: readonly { readonly url: string; readonly label: string }[];
  /** Other running text, paragraph by paragraph, single-spaced. */
  readonly texts: readonly string[];
}
