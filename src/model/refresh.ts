import type { Millis } from './time.ts';

/** Why a refresh read a site, and what that was decided by: kept in the spec of the crawl. */
export interface RefreshFact {
  /** All crawls of one refresh have the same: when it began. */
  readonly run: string;
  readonly site: string;
  /** `discovery`: nothing of the site was read before. */
  readonly side: 'refresh' | 'discovery';
  /** ρ(S), and its parts. */
  readonly priority: number;
  readonly importance: number;
  /** Changes per second and page. */
  readonly changeRate: number;
  readonly lastRead?: Millis;
  readonly pages: number;
  readonly failures: number;
  /** Pages that were left of the budget; absent in crawls from before it was kept. */
  readonly left?: number;
}

/** Its crawl may visit no more than what was left of the budget, and that does not go beyond the pages that are known. */
export const isReadInPart = (
  { pages, left = Number.POSITIVE_INFINITY }: RefreshFact,
  limit: number,
): boolean => left === limit && left <= pages;
