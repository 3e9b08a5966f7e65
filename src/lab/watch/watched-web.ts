/** A web whose every version is known, as a watch sees it: what a visit finds, what sources say. */
import type { Millis } from '../../model/time.ts';
import type { Signal, WatchedPage } from '../../model/watch.ts';
import type { PageVersion } from '../../science/quality/completeness.ts';
import type { SyntheticWeb } from '../crawl/synthetic-web.ts';

export interface TruePage {
  readonly url: string;
  readonly weight: number;
  /** All that appeared while it is watched, in order of time (seconds); a page that is born meanwhile begins with its first. */
  readonly versions: readonly PageVersion[];
  /** It ends then: seconds. */
  readonly goneAt?: number;
}

export interface WatchedWeb {
  /** Milliseconds. */
  readonly start: Millis;
  readonly end: Millis;
  /** What counts: pages of the archive. Sources may be among them, or not. */
  readonly pages: ReadonlyMap<string, TruePage>;
  /** As a crawler meets it, where it can be captured whole. */
  site?(): SyntheticWeb;
  /** Known at the start. */
  known(): readonly WatchedPage[];
  /** Known pages anew, with what was learnt of their rhythm meanwhile; absent where nothing is. */
  relisted?(): readonly WatchedPage[];
  /** What reading the page at this time says of others, since it was last read; and pages that it shows for the first time. */
  read?(url: string, at: Millis, since: Millis | undefined): WhatIsSaid;
  /** A page was visited: whoever learns rhythms listens here. */
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
