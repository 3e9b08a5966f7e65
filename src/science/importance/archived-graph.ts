/**
 * The links of an archive as a graph: rows come in page order, as the catalog has them, and are never held twice.
 * Redirects are followed, so that a page and whatever redirects to it are one; a page that others link to but nobody has read is
 * included too, without links.
 *
 * Memory: 4 bytes per link while they are gathered, and 8 bytes per URL id.
 */
import type { LinkGraph } from './link-graph.ts';

export interface ArchivedGraph {
  readonly graph: LinkGraph;
  /** Per page of the graph, its number in the archive, ascending. */
  readonly numbers: Int32Array;
  /** 1 for pages that were read. */
  readonly isRead: Uint8Array;
  /** Pages that redirect to another, and where they finally lead. */
  readonly merged: ReadonlyMap<number, number>;
  /** The index of a page in the graph, redirects followed; -1 if it is not one. */
  placeOf(number: number): number;
}

const NO_PAGE = -1;

export class GraphGatherer {
  readonly #sources: number[] = [];
  readonly #starts: number[] = [0];
  #targets = new Int32Array(1 << 12);
  #size = 0;
  #largest = 0;

  /** Pages in ascending order, each once. */
  add(page: number, links: ArrayLike<number>): void {
    const last = this.#sources.at(-1);
    if (last !== undefined && page <= last) throw new RangeError(`page ${page} comes after ${last}`);
    while (this.#size + links.length > this.#targets.length) {
      const longer = new Int32Array(Math.ceil(this.#targets.length * 1.5));
      longer.set(this.#targets);
      this.#targets = longer;
    }
    for (let k = 0; k < links.length; k++) {
      const target = links[k] as number;
      this.#targets[this.#size++] = target;
      this.#largest = Math.max(this.#largest, target);
    }
    this.#sources.push(page);
    this.#starts.push(this.#size);
    this.#largest = Math.max(this.#largest, page);
  }

  /** Nothing can be added afterwards. */
  finish(read: ArrayLike<number>, redirects: ReadonlyMap<number, number>): ArchivedGraph {
    const merged = ends(redirects);
    const resolve = (page: number): number => merged.get(page) ?? page;
    for (let k = 0; k < read.length; k++) this.#largest = Math.max(this.#largest, read[k] as number);
    for (const target of merged.values()) this.#largest = Math.max(this.#largest, target);
    const place = new Int32Array(this.#largest + 1).fill(NO_PAGE);
    for (let k = 0; k < this.#size; k++) place[resolve(this.#targets[k] as number)] = 0;
    for (const page of this.#sources) if (!merged.has(page)) place[page] = 0;
    for (let k = 0; k < read.length; k++) place[resolve(read[k] as number)] = 0;
    let pages = 0;
    for (let page = 0; page < place.length; page++) if (place[page] === 0) place[page] = pages++;
    const numbers = new Int32Array(pages);
    for (let page = 0; page < place.length; page++)
      if (place[page] !== NO_PAGE) numbers[place[page] as number] = page;
    const isRead = new Uint8Array(pages);
    for (let k = 0; k < read.length; k++) {
      const at = merged.has(read[k] as number) ? NO_PAGE : (place[read[k] as number] as number);
      if (at !== NO_PAGE) isRead[at] = 1;
    }
    const placeOf = (page: number): number => place[resolve(page)] ?? NO_PAGE;
    return { graph: this.#rows(pages, merged, placeOf), numbers, isRead, merged, placeOf };
  }

  /** Works in place: rows only become shorter. */
  #rows(pages: number, merged: ReadonlyMap<number, number>, placeOf: (page: number) => number): LinkGraph {
    const offsets = new Int32Array(pages + 1);
    const targets = this.#targets;
    let kept = 0;
    let next = 0;
    this.#sources.forEach((source, row) => {
      if (merged.has(source)) return;
      const from = placeOf(source);
      while (next <= from) offsets[next++] = kept;
      const links = targets.subarray(this.#starts[row], this.#starts[row + 1]);
      for (let k = 0; k < links.length; k++) links[k] = placeOf(links[k] as number);
      let last = -1;
      for (const target of links.sort()) {
        if (target === last || target === from) continue;
        targets[kept++] = target;
        last = target;
      }
    });
    while (next <= pages) offsets[next++] = kept;
    return { pages, offsets, targets: targets.subarray(0, kept) };
  }
}

/** Where each chain of redirects ends; a circular one ends where it was last entered. */
function ends(redirects: ReadonlyMap<number, number>): Map<number, number> {
  const found = new Map<number, number>();
  for (const page of redirects.keys()) {
    const chain: number[] = [];
    const seen = new Set<number>();
    let at = page;
    while (!found.has(at) && redirects.has(at) && !seen.has(at)) {
      seen.add(at);
      chain.push(at);
      at = redirects.get(at) as number;
    }
    const end = found.get(at) ?? at;
    for (const each of chain) if (each !== end) found.set(each, end);
  }
  return found;
}
