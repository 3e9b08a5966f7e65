import type { CrawlSpec } from '../../model/crawl.ts';
import type { PlannedVisit } from '../../model/watch.ts';
import type { CrawlReport } from '../crawl/crawl-report.ts';
import type { Lessons } from './lessons.ts';
import type { LiveSite } from './live-site.ts';

/** The outcome of capturing a site. */
export type CaptureEnd = Pick<CrawlReport, 'state' | 'captured' | 'unchanged' | 'failed'>;

/** A site that is captured whole. */
export interface DueCapture {
  readonly site: LiveSite;
  /** At the pace that the budget allows. */
  readonly spec: CrawlSpec;
  readonly reason: string;
}

/** Who makes the crawls of a watch: its own process (own-crawls.ts), or workers (handed-crawls.ts). */
export interface WatchCrawls {
  /** Visits pages as `WatchPorts.visit` requires. */
  round(visits: readonly PlannedVisit[], lessons: Lessons, signal: AbortSignal): Promise<void>;
  /** `stopped` where it is to be resumed when it is planned again. */
  capture(capture: DueCapture, lessons: Lessons, signal: AbortSignal): Promise<CaptureEnd>;
}
