/** What a capture of a synthetic web claims, compared with the truth. */
import type { CapturedPage, SiteCapture } from '../../model/site-capture.ts';
import { exactPageBlur } from '../../science/sharpness/exact-blur.ts';
import { isSharp } from '../../science/sharpness/sharp-pages.ts';
import { sharpnessOf } from '../../stages/site-capture.ts';
import type { SyntheticWeb } from './synthetic-web.ts';

export interface MeasuredCapture {
  readonly pages: number;
  readonly revisited: number;
  /** Virtual time from the first request for a page to the last. */
  readonly seconds: number;
  /** As in the report and the certificate: expected from the rates that the crawl assumed. */
  readonly blurTold: number;
  /** Computed from the changes that did happen. */
  readonly blurTrue: number;
  /** Standard deviation of `blurTrue`, over everything that could have happened at these rates and visit times. */
  readonly deviation: number;
  /** Pages with the same bytes at both visits. */
  readonly sharpTold: number;
  /** Pages that did not change between them. */
  readonly sharpTrue: number;
}

export function measureCapture(capture: SiteCapture, web: SyntheticWeb): MeasuredCapture {
  const { pages, startedAt, finishedAt } = capture;
  const seconds = (finishedAt - startedAt) / 1000;
  const told = sharpnessOf(capture);
  let blurTrue = 0;
  let variance = 0;
  let sharpTrue = 0;
  let revisited = 0;
  for (const page of pages) {
    const { rate = 0, changes: process } = web.page(page.url) ?? {};
    const changes = (process?.until(finishedAt) ?? []).map((at) => (at - startedAt) / 1000);
    const times = visitTimes(page).map((at) => (at - startedAt) / 1000);
    blurTrue += exactPageBlur(changes, times, [0, seconds]);
    variance += rate * squaredWeights(times, seconds);
    const [visit, revisit] = times;
    if (visit === undefined || revisit === undefined) continue;
    revisited++;
    if (isSharp(changes, visit, revisit)) sharpTrue++;
  }
  const { blur: blurTold, sharp } = told;
  return {
    pages: pages.length,
    revisited,
    seconds,
    blurTold,
    blurTrue,
    deviation: Math.sqrt(variance),
    sharpTold: sharp.strict,
    sharpTrue,
  };
}

const visitTimes = ({ visit, revisit }: CapturedPage): number[] =>
  revisit ? [visit.at, revisit.at] : [visit.at];

/**
 * A change at h adds the share of the interval between h and the border of the nearest visit's reach. For changes of a Poisson
 * process the variance of the sum is the rate times the integral of that share squared.
 */
function squaredWeights(visits: readonly number[], length: number): number {
  if (length <= 0) return 0;
  const borders = [0, ...visits.slice(1).map((time, k) => (time + (visits[k] as number)) / 2), length];
  const cubes = visits.map(
    (time, k) => (time - (borders[k] as number)) ** 3 + ((borders[k + 1] as number) - time) ** 3,
  );
  return cubes.reduce((sum, cube) => sum + cube, 0) / (3 * length * length);
}
