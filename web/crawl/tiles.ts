import type { PageResult } from '../../src/model/crawl.ts';
import type { CrawlRow } from '../api.ts';

/** A tile of the report: the number it shows is the length of the list behind it. */
export type Choice = PageResult | 'impaired' | 'resources' | 'inferred' | 'skipped';

interface Tile {
  readonly count: (row: CrawlRow) => number;
  /** Shown where there are some. */
  readonly rare?: true;
  readonly tone?: 'bad';
}

export const total = (all: Readonly<Partial<Record<string, number>>> = {}): number =>
  Object.values(all).reduce<number>((sum, count = 0) => sum + count, 0);

export const TILES: Readonly<Record<Choice, Tile>> = {
  new: { count: ({ tally }) => tally.new },
  changed: { count: ({ tally }) => tally.changed },
  unchanged: { count: ({ tally }) => tally.unchanged },
  redirect: { count: ({ tally }) => tally.redirects },
  dropped: { count: ({ tally }) => tally.dropped ?? 0, rare: true },
  gone: { count: ({ tally }) => tally.gone, tone: 'bad' },
  failed: { count: ({ tally }) => tally.failed, tone: 'bad' },
  impaired: { count: ({ tally }) => total(tally.impaired), rare: true, tone: 'bad' },
  resources: { count: ({ tally }) => tally.resources.failed, rare: true, tone: 'bad' },
  inferred: { count: ({ inferred }) => inferred?.pages ?? 0, rare: true },
  skipped: { count: ({ tally }) => tally.skipped },
};

/** Rows of the first part of a list. */
const FIRST_PART = 200;

/**
 * When the list behind a tile is to be read anew: whenever its number grows, and once more at the end. Of a long one while the crawl
 * runs no more: whoever has read on would be thrown back to its beginning every few seconds.
 */
export function turnOf(row: CrawlRow, choice: Choice): number {
  const count = TILES[choice].count(row);
  return row.state === 'running' ? Math.min(count, FIRST_PART) : count + 1;
}

export const CHOICES = Object.keys(TILES) as Choice[];

/** What went wrong is what a report is opened for; else what it is longest about. */
export function firstChoice(row: CrawlRow): Choice {
  const some = (choice: Choice): boolean => TILES[choice].count(row) > 0;
  return (
    (['failed', 'impaired', 'gone'] as const).find(some) ??
    (['new', 'changed', 'unchanged'] as const).find(some) ??
    'new'
  );
}

export const isChoice = (text: string): text is Choice => Object.hasOwn(TILES, text);

/** Pages that the crawl visited, whatever it found. */
export const proven = ({ tally }: CrawlRow): number =>
  tally.captured + tally.unchanged + (tally.dropped ?? 0) + tally.redirects + tally.gone;

export const byCount = (all: Readonly<Partial<Record<string, number>>>): [string, number][] =>
  (Object.entries(all) as [string, number][]).sort((a, b) => b[1] - a[1]);
