/**
 * The observation interval of a capture (SHARC 2009, §3 and §4.4): all times that are mapped to it, that is, for which no other
 * capture of the site is nearer. It reaches from the midpoint between the previous capture and this one to the midpoint between
 * this one and the next; where there is no neighbour, to the end of the capture itself. Blur over it is what a reader meets who
 * asks for any time, not only for one while the capture ran.
 */
import type { CertificateStatement } from '../../model/certificate.ts';
import type { CapturedPage } from '../../model/site-capture.ts';
import type { Millis } from '../../model/time.ts';
import { type Interval, pageBlur } from './blur.ts';

export interface Neighbours {
  /** When the previous capture ended. */
  readonly previousEnd?: Millis | undefined;
  /** When the next capture began. */
  readonly nextStart?: Millis | undefined;
}

/** In whole milliseconds, so that it can be stated. */
export function observationInterval(
  [start, end]: Interval,
  { previousEnd, nextStart }: Neighbours,
): Interval {
  return [
    previousEnd === undefined ? start : Math.min(start, Math.round((previousEnd + start) / 2)),
    nextStart === undefined ? end : Math.max(end, Math.round((end + nextStart) / 2)),
  ];
}

type ObservedPage = Pick<CapturedPage, 'rate'> & {
  readonly visit: Pick<CapturedPage['visit'], 'at'>;
  readonly revisit?: Pick<NonNullable<CapturedPage['revisit']>, 'at' | 'outcome'>;
};

/** Expected blur of a capture over an interval of milliseconds. Rates are per second. */
export function observedBlur(pages: readonly ObservedPage[], [start, end]: Interval): number {
  const seconds = (at: Millis): number => (at - start) / 1000;
  return pages.reduce((sum, { rate, visit, revisit }) => {
    // A page that is gone at its revisit has only one version to show.
    const times = revisit && revisit.outcome !== 'gone' ? [visit.at, revisit.at] : [visit.at];
    return sum + pageBlur(rate, times.map(seconds), [0, seconds(end)]);
  }, 0);
}

/** As stated: no record of the crawl says when the previous one ended. */
export const previousEndOf = ({
  observation,
}: Pick<CertificateStatement, 'observation'>): Millis | undefined =>
  observation?.previousEnd == null ? undefined : Date.parse(observation.previousEnd);
