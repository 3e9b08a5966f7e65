/**
 * Links between numbered pages, as compressed sparse rows: 4 bytes per link and 4 per page, so that 50,000,000 links fit in a
 * few hundred megabytes. Repeated links to the same page count once, links to the page itself not at all: what a site
 * writes a million times about itself must not lift it.
 */
export interface LinkGraph {
  readonly pages: number;
  /** Links of page i: `targets[offsets[i]]` to `targets[offsets[i + 1] - 1]`, ascending. */
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
}

/** From pairs in any order: page `from[k]` links to page `to[k]`. Cost: linear, except for sorting each page's own links. */
export function linkGraph(pages: number, from: ArrayLike<number>, to: ArrayLike<number>): LinkGraph {
  const starts = new Int32Array(pages + 1);
  for (let k = 0; k < from.length; k++) {
    const source = from[k] as number;
    if (source >= pages || (to[k] as number) >= pages)
      throw new RangeError(`link ${source} → ${to[k]} leaves the ${pages} pages`);
    starts[source + 1] = (starts[source + 1] as number) + 1;
  }
  for (let page = 0; page < pages; page++)
    starts[page + 1] = (starts[page + 1] as number) + (starts[page] as number);
  const all = new Int32Array(from.length);
  const next = starts.slice(0, pages);
  for (let k = 0; k < from.length; k++) {
    const source = from[k] as number;
    const at = next[source] as number;
    all[at] = to[k] as number;
    next[source] = at + 1;
  }
  const offsets = new Int32Array(pages + 1);
  let kept = 0;
  for (let page = 0; page < pages; page++) {
    let last = -1;
    for (const target of all.subarray(starts[page], starts[page + 1]).sort()) {
      if (target === last || target === page) continue;
      // Never overtakes reading: rows only become shorter.
      all[kept++] = target;
      last = target;
    }
    offsets[page + 1] = kept;
  }
  return { pages, offsets, targets: all.slice(0, kept) };
}

export const linksOf = ({ offsets, targets }: LinkGraph, page: number): Int32Array =>
  targets.subarray(offsets[page], offsets[page + 1]);
