import type { PageSnapshot } from '../../model/page-snapshot.ts';
import type { ShownVersion } from '../deltas/study.ts';
import { Skipped } from '../experiment/experiment.ts';

/** A real page as a browser showed it, with nothing else running. */
export interface TimedPage {
  readonly page: string;
  readonly version: string;
  /** Its HTML alone, without what it embeds: the "container object" of IWAW 2009 §7.1. */
  readonly htmlBytes: number;
  /** Wall-clock time from the request to the snapshot, since the browser is another process. */
  readonly renderMilliseconds: number;
  readonly snapshot: PageSnapshot;
}

/** Real pages, passed in by a caller that has a browser. */
export interface ShownPages {
  /** Pages with 20 to 600 KB of HTML, evenly over the logarithm of their size. */
  bySize(count: number): AsyncIterable<TimedPage>;
  /** Successive versions, page after page, in order of time. */
  versions(mostOfEachPage: number): AsyncIterable<ShownVersion>;
}

export const NO_PAGES = new Skipped(
  'it needs real versions of pages in a folder `versions`: name the folder around it with --data',
);
