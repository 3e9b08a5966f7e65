import { randomInt } from 'node:crypto';

/** Where record files are kept that do not stay in the archive's folder. */
export interface SegmentHome {
  /** Where they are written. */
  readonly folder: string;
  /** Brings a whole file away: only then its records are stored. */
  ship(file: string): Promise<void>;
}

/** Milliseconds that events gather for a segment, as long as the crawl has other work, so that there are not too many small ones. */
export const SEGMENT_GATHERS = 2_000;

const DIGITS = 12;

/** The end of a segment's name: many processes, on many machines, may write to one place in the same second. */
export const segmentChance = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
