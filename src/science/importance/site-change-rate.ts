/** What matters of a page for the rate of its site. */
export interface RatedPage {
  /** Changes per second. */
  readonly rate: number;
  readonly importance: number;
}

/**
 * c̄h(S) = Σ ch(p) · i(p) ÷ Σ i(p) over the pages of the site (French web 2002, § 3): how often what readers look at changes.
 * If no page has importance, all count equally; 0 without pages.
 */
export function siteChangeRate(pages: readonly RatedPage[]): number {
  const sum = (of: (page: RatedPage) => number): number => pages.reduce((all, page) => all + of(page), 0);
  const importance = sum((page) => page.importance);
  if (importance > 0) return sum((page) => page.rate * page.importance) / importance;
  return pages.length === 0 ? 0 : sum((page) => page.rate) / pages.length;
}
