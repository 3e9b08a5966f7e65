import type { Millis } from './time.ts';

/** Why a refresh read a site, and the numbers that decided it: kept in the spec of the crawl. */
export interface RefreshFact {
  /** When the refresh began: shared by all its crawls. */
  readonly run: string;
  readonly site: string;
  /** `discovery`: nothing of the site had been read before. */
  readonly side: 'refresh' | 'discovery';
  /** ρ(S), and its parts. */
  readonly priority: number;
  readonly importance: number;
  /** Changes per second and page. */
  readonly changeRate: number;
  readonly lastRead?: Millis;
  readonly pages: number;
  readonly failures: number;
  /** Pages left of the budget; absent in crawls from before it was kept. */
  readonly left?: number;
}

/** Its crawl may visit no more than what was left of the budget, which does not exceed the number of known pages. */
export const isReadInPart = (
  { pages, left = Number.POSITIVE_INFINITY }: RefreshFact,
  limit: number,
): boolean => left === limit && left <= pages;
