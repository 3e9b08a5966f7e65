import type { Millis } from '../../model/time.ts';

/** Of a page, a site, or everything. */
export interface TimesQuery {
  readonly url?: string;
  readonly site?: string;
  readonly from?: Millis;
  readonly to?: Millis;
}

/** What falls into one quarter of an hour, the unit that days of all time zones are made of. */
export interface CountedQuarter {
  /** Quarters of an hour since 1970. */
  readonly quarter: number;
  readonly captures: number;
  /** Those that a reader sees. */
  readonly changes: number;
  /** Of the most salient of these changes; absent where there is none, or it is not known. */
  readonly salience?: number;
}

/** How much there is of each time. */
export interface CountedTimesCatalog {
  /** In the order of time; without quarters in which nothing was. */
  countedTimes(query: TimesQuery): Promise<readonly CountedQuarter[]>;
}
