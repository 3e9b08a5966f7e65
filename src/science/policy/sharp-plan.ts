/**
 * The plan of a capture that is to be sharp: which of the schedules with revisits is used, given the site's rates and number
 * of pages.
 */
import type { ExpectedChanges, SiteToCapture } from '../sharpness/schedule.ts';
import { sharcThreshold } from '../sharpness/sharc-threshold.ts';
import { sharpestWithin } from '../sharpness/sharp-and-clear.ts';
import { sharpAssignment } from '../sharpness/sharp-assignment.ts';
import type { NamedSchedule } from './planned-order.ts';

/**
 * Largest expected blur of a sharp capture, as a multiple of that of SHARC-revisits. The aim is 1.25 for the actual blur, and on
 * real histories the actual blur was up to 1.03 times the expected (docs/sharp-captures.md).
 */
export const SHARP_BLUR_LIMIT = 1.2;
/** Weights of blur that are tried, smallest first. */
export const BLUR_WEIGHTS: readonly number[] = [0.01, 0.1, 0.3, 1, 3, 10];
/** Beyond this many pages the climb of `sharpest-within`, which compares pairs, takes longer than a crawl can wait. */
const WITHIN_UP_TO = 5_000;
/** Beyond this its tables by hour take more than a few hundred megabytes. */
const BY_HOUR_UP_TO = 1_500;
/** Beyond this the assignment takes too long too; nested intervals by threshold cost no more than sorting. */
const ASSIGN_UP_TO = 20_000;

export function sharpPlan(site: SiteToCapture, changes: ExpectedChanges | undefined): NamedSchedule {
  const pages = site.rates.length;
  if (pages > ASSIGN_UP_TO) return { name: 'sharc-threshold', ...sharcThreshold(site) };
  if (pages > WITHIN_UP_TO) return { name: 'sharp-assignment', ...sharpAssignment(site) };
  if (!changes || pages > BY_HOUR_UP_TO)
    return { name: 'sharpest-within', ...sharpestWithin(site, { blurLimit: SHARP_BLUR_LIMIT }) };
  return {
    name: 'sharpest-within by hour',
    ...sharpestWithin(site, { blurLimit: SHARP_BLUR_LIMIT, expectedChanges: changes }),
  };
}
