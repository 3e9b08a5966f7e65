import type { PageSnapshot } from '../../model/page-snapshot.ts';
import type { ShownVersion } from '../deltas/study.ts';
import { Skipped } from '../experiment/experiment.ts';

/** A real page as a browser showed it, alone and by itself. */
export interface TimedPage {
  readonly page: string;
  readonly version: string;
  /** Of its HTML alone, without what it embeds: the "container object" of IWAW 2009 §7.1. */
  readonly htmlBytes: number;
  /** From the request to the snapshot, by the clock: the browser is another process. */
  readonly renderMilliseconds: number;
  readonly snapshot: PageSnapshot;
}

/** Real pages, handed in by whoever has a browser. */
export interface ShownPages {
  /** Pages of 20 to 600 KB of HTML, evenly over the logarithm of their size. */
  bySize(count: number): AsyncIterable<TimedPage>;
  /** Successive versions, one page after the other, by time. */
  versions(mostOfEachPage: number): AsyncIterable<ShownVersion>;
}

export const NO_PAGES = new Skipped(
  'it needs real versions of pages in a folder `versions`: name the folder around it with --data',
);
