import { type PageLinks, Propagation } from './propagation.ts';

/**
 * Relevance along all links, and separately along links between sites only. A site's own links may add to what others'
 * links say of its pages, but take nothing from it: its menus name each page hundreds of times, and with one mean over all
 * links a front page that others vouch for would sink as soon as its own site is read.
 *
 *   mean_k = max(mean over all links, mean over links between sites)   where a link of another site leads to the page
 *
 * Cost: twice the memory of a Propagation; the second handles the few links that leave a site.
 */
export class SiteFlow {
  readonly #all: Propagation;
  readonly #between: Propagation;
  /** By page: a number shared by the pages of one site. */
  readonly #sites: readonly number[];

  constructor(depth: number, sites: readonly number[]) {
    this.#all = new Propagation(depth);
    this.#between = new Propagation(depth);
    this.#sites = sites;
  }

  get depth(): number {
    return this.#all.depth;
  }

  read(page: number, own: number, links: PageLinks, before?: PageLinks): void {
    this.#all.read(page, own, links, before);
    this.#between.read(page, own, this.#leaving(page, links), before && this.#leaving(page, before));
  }

  /** Pages where something waits, the largest amounts first. */
  waiting(): readonly number[] {
    return [...new Set([...this.#all.waiting(), ...this.#between.waiting()])];
  }

  release(page: number, links: PageLinks): void {
    this.#all.release(page, links);
    this.#between.release(page, this.#leaving(page, links));
  }

  /** `page` redirects to `into`: what it has received belongs to `into`. */
  merge(page: number, into: number): void {
    this.#all.merge(page, into);
    this.#between.merge(page, into);
  }

  means(page: number): number[] {
    const means = this.#all.means(page);
    const between = this.#between.means(page);
    for (let k = 0; k < means.length; k++)
      if (this.#between.isReached(page, k + 1)) means[k] = Math.max(means[k] as number, between[k] as number);
    return means;
  }

  #leaving(page: number, links: PageLinks): PageLinks {
    const site = this.#sites[page];
    const leaving: number[] = [];
    for (const link of links) if (this.#sites[link] !== site) leaving.push(link);
    return leaving;
  }
}
