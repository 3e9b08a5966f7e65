import { siteOf } from '../../model/site.ts';

/** Numbers of URLs, from 0. A URL that has moved shares the number of its new one, so that a link to either is a link to the page. */
export class KnownUrls {
  /** By number: number of its site. */
  readonly sites: number[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #urls: string[] = [];
  readonly #siteNumbers = new Map<string, number>();
  /** For URLs that have moved: the number they had. */
  readonly #movedFrom = new Map<string, number>();
  /** By number: URLs that have moved there. */
  readonly #ledTo = new Map<number, string[]>();

  numberOf(url: string): number {
    return this.#numbers.get(url) ?? this.#add(url);
  }

  /** Undefined if nothing has named it. */
  find(url: string): number | undefined {
    return this.#numbers.get(url);
  }

  urlOf(number: number): string {
    return this.#urls[number] as string;
  }

  /** The numbers of both; undefined if it leads to itself, directly or indirectly. */
  move(from: string, to: string): { readonly from: number; readonly to: number } | undefined {
    // An earlier target of this URL is not the current one, and has not moved with it.
    this.staysAt(from);
    const before = this.numberOf(from);
    const after = this.numberOf(to);
    if (before === after) return undefined;
    this.#movedFrom.set(from, before);
    // Whatever led to `from` now leads to `to`.
    const moving = [from, ...(this.#ledTo.get(before) ?? [])];
    for (const url of moving) this.#numbers.set(url, after);
    this.#ledTo.delete(before);
    this.#ledTo.set(after, [...(this.#ledTo.get(after) ?? []), ...moving]);
    return { from: before, to: after };
  }

  /** It is a page of its own, whatever it was before. */
  staysAt(url: string): void {
    const number = this.#movedFrom.get(url);
    if (number === undefined) return;
    const led = this.numberOf(url);
    this.#ledTo.set(
      led,
      (this.#ledTo.get(led) ?? []).filter((other) => other !== url),
    );
    this.#numbers.set(url, number);
    this.#movedFrom.delete(url);
  }

  #add(url: string): number {
    const number = this.#urls.push(url) - 1;
    this.#numbers.set(url, number);
    const site = siteOf(url);
    let known = this.#siteNumbers.get(site);
    if (known === undefined) {
      known = this.#siteNumbers.size;
      this.#siteNumbers.set(site, known);
    }
    this.sites.push(known);
    return number;
  }
}
