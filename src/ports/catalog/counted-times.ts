import type { Millis } from '../../model/time.ts';

/** For one page, one site, or everything. */
export interface TimesQuery {
  readonly url?: string;
  readonly site?: string;
  readonly from?: Millis;
  readonly to?: Millis;
}

/** Counts for one quarter of an hour, the unit from which days in all time zones can be composed. */
export interface CountedQuarter {
  /** Quarters of an hour since 1970. */
  readonly quarter: number;
  readonly captures: number;
  /** Those that a reader sees. */
  readonly changes: number;
  /** Of the most salient of these changes; absent where there is none, or it is unknown. */
  readonly salience?: number;
}

/** How much happened when. */
export interface CountedTimesCatalog {
  /** In chronological order; empty quarters are left out. */
  countedTimes(query: TimesQuery): Promise<readonly CountedQuarter[]>;
}
