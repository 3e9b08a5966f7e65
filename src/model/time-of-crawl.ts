import type { Crawl } from './crawl.ts';
import type { Millis } from './time.ts';

/** From when to when a crawl ran. Captures do not name their crawl: those made meanwhile on its sites are taken for its own. */
export interface TimeOfCrawl {
  readonly from: Millis;
  readonly to: Millis;
}

export const ALWAYS: TimeOfCrawl = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** A crawl that is running, or may be resumed, has no end yet. */
export const timeOfCrawl = ({
  startedAt,
  finishedAt,
}: Pick<Crawl, 'startedAt' | 'finishedAt'>): TimeOfCrawl => ({
  from: startedAt,
  to: finishedAt ?? Number.POSITIVE_INFINITY,
});

export const isWithin = (at: Millis, { from, to }: TimeOfCrawl): boolean => at >= from && at <= to;
