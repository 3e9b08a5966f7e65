import { s3Place } from '../../storage/s3/s3-place.ts';

/** Default limit for copies of record files held beside an object store, in bytes. */
export const STORAGE_CACHE = 4_000_000_000;

/** Whether the text names a place that can keep record files: `s3://bucket/prefix`. */
export const isStorage = (text: string): boolean => s3Place(text) !== undefined;
