/** Which page has which number, and what the plan must know of it besides the refresh state. Numbers of gone pages are reused. */
import type { SignalKind, WatchedPage } from '../../../model/watch.ts';

export interface BookedPage {
  readonly url: string;
  readonly site: string;
  readonly directory: string;
  /** Milliseconds; forced. */
  readonly every?: number;
  readonly tells?: SignalKind;
  /** Of suspects: pages never read. */
  readonly suspect?: { readonly relevance: number };
}

export class PageBook {
  readonly #pages: (BookedPage | undefined)[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #free: number[] = [];
  /** Numbers of pages that need more than a place in the ranking. */
  readonly forced = new Set<number>();
  readonly sources = new Set<number>();
  readonly suspects = new Set<number>();
  readonly #sites = new Map<string, Set<number>>();
  readonly #directories = new Map<string, Set<number>>();

  get size(): number {
    return this.#numbers.size;
  }

  numberOf(url: string): number | undefined {
    return this.#numbers.get(url);
  }

  page(number: number): BookedPage {
    const page = this.#pages[number];
    if (!page) throw new RangeError(`no page has the number ${number}`);
    return page;
  }

  has(number: number): boolean {
    return this.#pages[number] !== undefined;
  }

  numbers(): IterableIterator<number> {
    return this.#numbers.values();
  }

  sites(): IterableIterator<string> {
    return this.#sites.keys();
  }

  pagesOf(site: string): ReadonlySet<number> {
    return this.#sites.get(site) ?? new Set();
  }

  pagesIn(directory: string): ReadonlySet<number> {
    return this.#directories.get(directory) ?? new Set();
  }

  /** The number that the next new page gets. */
  get next(): number {
    return this.#free[this.#free.length - 1] ?? this.#pages.length;
  }

  /** Enters a page, or updates a known one. */
  put(page: WatchedPage): number {
    const known = this.#numbers.get(page.url);
    const number = known ?? this.next;
    if (known === undefined) {
      if (this.#free.length > 0) this.#free.pop();
      this.#numbers.set(page.url, number);
    } else this.#leave(number);
    const entry: BookedPage = {
      url: page.url,
      site: page.site,
      directory: directoryOf(page),
      ...(page.every !== undefined && { every: page.every }),
      ...(page.tells !== undefined && { tells: page.tells }),
      ...(page.lastVisit === undefined && { suspect: { relevance: page.relevance ?? 1 } }),
    };
    this.#pages[number] = entry;
    mark(this.forced, number, entry.every !== undefined);
    mark(this.sources, number, entry.tells !== undefined);
    mark(this.suspects, number, entry.suspect !== undefined);
    join(this.#sites, page.site, number);
    join(this.#directories, entry.directory, number);
    return number;
  }

  /** It was read: it is no longer a suspect. */
  read(number: number): void {
    if (!this.suspects.delete(number)) return;
    const { suspect: _, ...rest } = this.page(number);
    this.#pages[number] = rest;
  }

  remove(number: number): void {
    const { url } = this.page(number);
    this.#leave(number);
    this.#numbers.delete(url);
    this.#pages[number] = undefined;
    this.#free.push(number);
    for (const set of [this.forced, this.sources, this.suspects]) set.delete(number);
  }

  #leave(number: number): void {
    const { site, directory } = this.page(number);
    leave(this.#sites, site, number);
    leave(this.#directories, directory, number);
  }
}

function join(sets: Map<string, Set<number>>, name: string, number: number): void {
  sets.set(name, (sets.get(name) ?? new Set()).add(number));
}

function leave(sets: Map<string, Set<number>>, name: string, number: number): void {
  const pages = sets.get(name);
  pages?.delete(number);
  if (pages?.size === 0) sets.delete(name);
}

function mark(set: Set<number>, number: number, belongs: boolean): void {
  if (belongs) set.add(number);
  else set.delete(number);
}

/** Pages assumed to behave alike until they were seen: of one site, and one directory with dates and numbers left out. */
function directoryOf({ url, site }: Pick<WatchedPage, 'url' | 'site'>): string {
  const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? url.slice(site.length);
  const directory = path.slice(0, path.lastIndexOf('/') + 1).replaceAll(/\d+/g, '0');
  const name = path.slice(directory.length);
  // The index of a directory behaves unlike the pages in it.
  return `${site} ${directory}${name === '' ? '' : '*'}`;
}
