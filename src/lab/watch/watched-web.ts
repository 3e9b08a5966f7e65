/** A web whose every version is known, as a watch sees it: what a visit finds, what sources say. */
import type { Millis } from '../../model/time.ts';
import type { Signal, WatchedPage } from '../../model/watch.ts';
import type { PageVersion } from '../../science/quality/completeness.ts';
import type { SyntheticWeb } from '../crawl/synthetic-web.ts';

export interface TruePage {
  readonly url: string;
  readonly weight: number;
  /** All versions that appear while it is watched, in order of time (seconds); a page born meanwhile begins with its first. */
  readonly versions: readonly PageVersion[];
  /** When the page ends, in seconds. */
  readonly goneAt?: number;
}

export interface WatchedWeb {
  /** Milliseconds. */
  readonly start: Millis;
  readonly end: Millis;
  /** The pages of the archive, which are what counts. Sources may be among them, or not. */
  readonly pages: ReadonlyMap<string, TruePage>;
  /** The site as a crawler meets it, if it can be captured whole. */
  site?(): SyntheticWeb;
  /** Pages known at the start. */
  known(): readonly WatchedPage[];
  /** Known pages again, with what has been learnt about their rhythm meanwhile; absent if nothing is learnt. */
  relisted?(): readonly WatchedPage[];
  /** What reading the page at this time says about others, since it was last read; and pages that it shows for the first time. */
  read?(url: string, at: Millis, since: Millis | undefined): WhatIsSaid;
  /** Called when a page was visited: learners of rhythms listen here. */
  noted?(seen: {
    readonly url: string;
    readonly from: Millis;
    readonly to: Millis;
    readonly changed: boolean;
    readonly importance: number;
  }): void;
}

export interface WhatIsSaid {
  readonly signals: readonly Signal[];
  readonly discovered: readonly WatchedPage[];
}
