/** Pages that redirect to others, and count as one with them. Chains of redirects are shortened as they are followed. */
export class MergedPages {
  readonly #into = new Map<number, number>();

  constructor(merged: Iterable<readonly [page: number, into: number]> = []) {
    for (const [page, into] of merged) this.#into.set(page, into);
  }

  get size(): number {
    return this.#into.size;
  }

  has(page: number): boolean {
    return this.#into.has(page);
  }

  /** Neither `page` nor `into` may be merged already: see `pageOf`. */
  merge(page: number, into: number): void {
    this.#into.set(page, into);
  }

  /** The page that a page is merged into; itself if it does not redirect. */
  pageOf(page: number): number {
    const first = this.#into.get(page);
    if (first === undefined) return page;
    let last = first;
    for (let next = this.#into.get(last); next !== undefined; next = this.#into.get(last)) last = next;
    for (let at = page; at !== last; ) {
      const next = this.#into.get(at) as number;
      this.#into.set(at, last);
      at = next;
    }
    return last;
  }

  /** Links as they are now: pages merged into one are named once, the page itself not at all. */
  links(page: number, links: ArrayLike<number>): ArrayLike<number> {
    let changed = false;
    for (let k = 0; k < links.length && !changed; k++) {
      const link = links[k] as number;
      // Two links can have become one only if one of them redirects; or a link may now lead to `page` itself.
      changed = link === page || this.#into.has(link);
    }
    if (!changed) return links;
    const now = new Set<number>();
    for (let k = 0; k < links.length; k++) now.add(this.pageOf(links[k] as number));
    now.delete(page);
    return [...now];
  }

  *[Symbol.iterator](): Iterator<readonly [page: number, into: number]> {
    yield* this.#into;
  }
}
