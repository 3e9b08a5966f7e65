import { randomInt } from 'node:crypto';

/** Where record files are kept that do not stay in the archive's folder. */
export interface SegmentHome {
  /** Where they are written. */
  readonly folder: string;
  /** Moves a whole file to its home: only then are its records stored. */
  ship(file: string): Promise<void>;
}

/**
 * How long events gather for a segment, in milliseconds, while the crawl has other work, so that there are not too many small
 * segments.
 */
export const SEGMENT_GATHERS = 2_000;

const DIGITS = 12;

/** The end of a segment's name: many processes, on many machines, may write to one place within the same second. */
export const segmentChance = (): string => String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
