/**
 * Whether skips were right: what a plan promised for a directory, compared with what the next visit to its pages found.
 *
 * A directory skipped several times in a row counts once, with the promise of the last skip: that covers all
 * changes since the pages were last looked at, and so does what the visit finds. The visit comes later than the skip, so
 * what it finds is the most that the skip can have missed.
 */
import type { InferenceReason } from '../../model/inference.ts';
import type { PageSighting, SeenPage } from '../../model/pattern.ts';
import type { Millis } from '../../model/time.ts';
import { gapBetween } from '../patterns/sightings.ts';
import { sitePath } from './site-path.ts';

export interface MadeSkip {
  /** Start of the crawl that skipped. */
  readonly at: Millis;
  readonly directory: string;
  readonly reason: InferenceReason;
  readonly expectedMissed: number;
  readonly confidence: number;
  readonly urls: readonly string[];
}

export interface CalibrationRow {
  /** Skips of directories that have been looked at again since. */
  readonly skips: number;
  readonly pages: number;
  /** Pages expected to have changed, appeared or vanished; and pages that had. */
  readonly promised: number;
  readonly found: number;
  /** Skips expected to miss anything; and skips that did. */
  readonly promisedWrong: number;
  readonly wrong: number;
}

export interface Calibration extends CalibrationRow {
  /** Skips that no visit has checked yet. */
  readonly unchecked: number;
  readonly reasons: Readonly<Partial<Record<InferenceReason, CalibrationRow>>>;
}

const NOTHING: CalibrationRow = { skips: 0, pages: 0, promised: 0, found: 0, promisedWrong: 0, wrong: 0 };

export function calibrate(skips: readonly MadeSkip[], seen: readonly SeenPage[]): Calibration {
  const pages = new Map(seen.map(({ url, sightings }) => [url, sightings]));
  const arrivals = firstSightings(seen);
  const byDirectory = new Map<string, MadeSkip[]>();
  for (const skip of skips.toSorted((a, b) => a.at - b.at))
    byDirectory.set(skip.directory, [...(byDirectory.get(skip.directory) ?? []), skip]);
  const reasons: Partial<Record<InferenceReason, CalibrationRow>> = {};
  let whole = NOTHING;
  let unchecked = 0;
  for (const [directory, made] of byDirectory) {
    for (const [i, skip] of made.entries()) {
      const until = made[i + 1]?.at ?? Number.POSITIVE_INFINITY;
      const found = changesFound(skip, until, pages, arrivals.get(directory) ?? []);
      if (found === undefined) {
        if (until === Number.POSITIVE_INFINITY) unchecked++;
        continue;
      }
      const row: CalibrationRow = {
        skips: 1,
        pages: skip.urls.length,
        promised: skip.expectedMissed,
        found,
        promisedWrong: 1 - skip.confidence,
        wrong: found > 0 ? 1 : 0,
      };
      whole = sum(whole, row);
      reasons[skip.reason] = sum(reasons[skip.reason] ?? NOTHING, row);
    }
  }
  return { ...whole, unchecked, reasons };
}

/** Undefined where nobody looked at its pages before it was skipped again. */
function changesFound(
  { at, urls }: MadeSkip,
  until: Millis,
  pages: ReadonlyMap<string, readonly PageSighting[]>,
  arrivals: readonly Millis[],
): number | undefined {
  let looked = 0;
  let changed = 0;
  let lookedFrom = Number.POSITIVE_INFINITY;
  for (const url of urls) {
    const sightings = pages.get(url) ?? [];
    const before = sightings.findLast((one) => one.at < at && one.state === 'there');
    const after = sightings.find((one) => one.at > at && one.at < until);
    if (!before || !after) continue;
    looked++;
    lookedFrom = Math.min(lookedFrom, after.at);
    if (after.state === 'gone' || gapBetween(before, after).changed) changed++;
  }
  if (looked === 0) return undefined;
  // New pages that other pages link to were visited at the time of the skip: those are not missed.
  return changed + arrivals.filter((first) => first >= lookedFrom && first < until).length;
}

function firstSightings(seen: readonly SeenPage[]): ReadonlyMap<string, readonly Millis[]> {
  const arrivals = new Map<string, Millis[]>();
  for (const { url, sightings } of seen) {
    const [first] = sightings;
    if (!first) continue;
    const { directory } = sitePath(url);
    const known = arrivals.get(directory) ?? [];
    known.push(first.at);
    arrivals.set(directory, known);
  }
  return arrivals;
}

const sum = (a: CalibrationRow, b: CalibrationRow): CalibrationRow => ({
  skips: a.skips + b.skips,
  pages: a.pages + b.pages,
  promised: a.promised + b.promised,
  found: a.found + b.found,
  promisedWrong: a.promisedWrong + b.promisedWrong,
  wrong: a.wrong + b.wrong,
});
