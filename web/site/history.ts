import type { CertificateRow, CrawlRow } from '../api.ts';
import { type DayCell, localDate } from '../charts/calendar.ts';
import type { Series } from '../charts/spec.ts';

/** All that ran on a site: where nothing can be told of it, the list of pages still stands. */
export interface SiteHistory {
  readonly crawls: readonly CrawlRow[];
  readonly certificates: readonly CertificateRow[];
}

/** What crawls and rounds brought, of one site alone. */
type Tally = Pick<CrawlRow['tally'], 'captured' | 'unchanged' | 'changed' | 'new' | 'failed'>;

const ofSite = ({ tally }: CrawlRow, site: string): Tally | undefined =>
  tally.sites.find((one) => one.site === site) ?? (tally.sites.length === 0 ? tally : undefined);

/** By the reader's days: how many captures, and how sharp the best certified crawl of the day was. */
export function daysOf(
  site: string,
  crawls: readonly CrawlRow[],
  certificates: readonly CertificateRow[],
): readonly DayCell[] {
  const sharpness = new Map(
    certificates
      .filter(({ revisited, pages }) => revisited > 0 && pages > 0)
      .map(({ crawlKey, visible, pages }) => [crawlKey, visible / pages]),
  );
  const days = new Map<string, { date: string; at: number; captures: number; sharpness?: number }>();
  for (const crawl of crawls) {
    const tally = ofSite(crawl, site);
    const captures = tally ? tally.captured + tally.unchanged : 0;
    if (captures === 0) continue;
    const date = localDate(new Date(crawl.startedAt));
    const held = days.get(date) ?? { date, at: crawl.startedAt, captures: 0 };
    const sharp = Math.max(sharpness.get(crawl.key) ?? -1, held.sharpness ?? -1);
    days.set(date, { ...held, captures: held.captures + captures, ...(sharp >= 0 && { sharpness: sharp }) });
  }
  return [...days.values()].sort((a, b) => a.at - b.at);
}

/** Crawls of a day are one point: rounds of a watch are many and small. */
export function seriesOf(
  site: string,
  crawls: readonly CrawlRow[],
  name: string,
  of: (tally: Tally, crawl: CrawlRow) => number,
): Series {
  const days = new Map<string, { x: number; y: number }>();
  for (const crawl of [...crawls].sort((a, b) => a.startedAt - b.startedAt)) {
    const tally = ofSite(crawl, site);
    if (!tally) continue;
    const date = localDate(new Date(crawl.startedAt));
    const held = days.get(date) ?? { x: crawl.startedAt, y: 0 };
    days.set(date, { x: held.x, y: held.y + of(tally, crawl) });
  }
  return { name, points: [...days.values()] };
}
