import type { Millis } from '../../model/time.ts';
import type { DirectoryHistory } from './directory-history.ts';

/** How often a sitemap was right: pages it listed, by what it said and by what an observation then found. */
export interface SitemapRecord {
  saidSame: number;
  /** How many of these had changed after all. */
  saidSameWrongly: number;
  saidChanged: number;
  saidChangedRightly: number;
}

/** Number of pages a sitemap must have covered before "unchanged" weighs as much as the usual rate. */
const DOUBT = 20;
/** Share of pages that change between two observations, where nothing is known: one in twenty. */
const USUAL = { changed: 1, pages: 20 } as const;

export interface SitemapWord {
  /** Factor on the expected changes of a directory. */
  factor(directory: number): number;
  /** It says, credibly, that a page of the directory changed or is new. */
  saysChanged(directory: number): boolean;
  /** It says that none of its pages changed: how many, and how often that was true. Undefined where it says less. */
  saysSame(directory: number): { readonly pages: number; readonly trust: number } | undefined;
}

/** What the site's sitemap says now, weighed by how right it has been; undefined where it says nothing. */
export function sitemapWord(
  history: DirectoryHistory,
  lastModified: ReadonlyMap<string, Millis> = new Map(),
  lastSeen: ReadonlyMap<string, Millis> = new Map(),
): SitemapWord | undefined {
  if (lastModified.size === 0) return undefined;
  const { saidSame, saidSameWrongly, saidChanged, saidChangedRightly } = history.sitemap;
  const usual =
    (saidSameWrongly + saidChangedRightly + USUAL.changed) / (saidSame + saidChanged + USUAL.pages);
  const wrong = (saidSameWrongly + DOUBT * usual) / (saidSame + DOUBT);
  const shrink = Math.min(1, wrong / usual);
  const isBelieved = (saidChangedRightly + 1) / (saidChanged + 1) >= 0.5;
  const same = new Map<number, number>();
  const changed = new Set<number>();
  for (const [url, at] of lastModified) {
    const directory = history.directoryOf(url);
    if (directory === undefined) changed.add(history.nearestDirectory(url));
    else if (at > (lastSeen.get(url) ?? history.timeOf(history.lastSeen(directory)))) changed.add(directory);
    else same.set(directory, (same.get(directory) ?? 0) + 1);
  }
  return {
    factor: (directory) => {
      const told = Math.min(1, (same.get(directory) ?? 0) / Math.max(1, history.pagesIn(directory)));
      return 1 - told + told * shrink;
    },
    saysChanged: (directory) => isBelieved && changed.has(directory),
    saysSame: (directory) => {
      const pages = same.get(directory) ?? 0;
      if (shrink > 0.5 || pages < history.pagesIn(directory)) return undefined;
      return { pages, trust: 1 - wrong };
    },
  };
}
