/**
 * What breadth-first would have done with the same pages: the yardstick of a certificate.
 *
 * The tree of discovery (which page first named which) is walked level by level; in that order the pages take the
 * actual moments at which requests were sent. So the pace of the server and the pauses of politeness are the same on
 * both sides, and only the order differs. With revisits the order runs twice, as the paper doubles its baselines
 * (SHARC 2009, §8).
 *
 * Departure: a real breadth-first crawl may first meet a page through another link than this crawl did; the level
 * of a page can then be smaller than the one assumed here.
 */

/** A URL of the crawl, in the order it was found. */
export interface FoundUrl {
  readonly url: string;
  readonly isSeed: boolean;
  /** The page, redirect or sitemap that named it. */
  readonly via?: string;
}

/** Place of each of `urls` in breadth-first order, from 0. URLs that nothing leads to come last, as given. */
export function breadthFirstPlaces(urls: readonly string[], found: Iterable<FoundUrl>): number[] {
  const children = new Map<string, string[]>();
  const queue: string[] = [];
  for (const { url, isSeed, via } of found) {
    if (isSeed || via === undefined) queue.push(url);
    else {
      const named = children.get(via);
      if (named) named.push(url);
      else children.set(via, [url]);
    }
  }
  const order = new Map<string, number>();
  for (let i = 0; i < queue.length; i++) {
    const url = queue[i] as string;
    if (order.has(url)) continue;
    order.set(url, order.size);
    for (const child of children.get(url) ?? []) queue.push(child);
  }
  const rank = urls.map((url) => order.get(url) ?? Number.POSITIVE_INFINITY);
  const byRank = urls.map((_, i) => i).sort((a, b) => compare(rank[a] as number, rank[b] as number) || a - b);
  const places = new Array<number>(urls.length);
  byRank.forEach((page, place) => {
    places[page] = place;
  });
  return places;
}

/** Infinity − Infinity is NaN. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** Visits of each page, ascending, had the requests at `times` been made in this order. */
export function visitsInPlaces(
  times: readonly number[],
  places: readonly number[],
  revisited: readonly boolean[],
): number[][] {
  const sorted = times.toSorted((a, b) => a - b);
  const order = places.map((_, page) => page).sort((a, b) => (places[a] as number) - (places[b] as number));
  const visits = places.map((): number[] => []);
  let next = 0;
  for (const page of order) visits[page]?.push(sorted[next++] as number);
  for (const page of order) if (revisited[page]) visits[page]?.push(sorted[next++] as number);
  return visits;
}
