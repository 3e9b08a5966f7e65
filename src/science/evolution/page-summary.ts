/**
 * What a page's history tells the planner of the next crawl: when it was last updated, how often it changes, how large it is
 * (French web 2002, § 5: last update, change frequency, file size).
 */
import { type DeltaDocument, isShown } from '../../model/site-delta.ts';
import type { Millis } from '../../model/time.ts';
import { irregularRate, type VisitGap } from '../rates/change-rate.ts';

export interface HistorySummary {
  /** The last access that found the page new or updated. */
  readonly lastUpdate?: Millis;
  /** Changes per day, by maximum likelihood over the gaps between accesses that showed the page; absent without a gap. */
  readonly changesPerDay?: number;
  /** Bytes of the last payload. */
  readonly size?: number;
}

const DAY = 24 * 60 * 60 * 1000;

/** `documents`: oldest first, of one or of several archives. */
export function pageSummary(documents: readonly DeltaDocument[]): HistorySummary {
  const shown = documents.filter(({ status }) => isShown(status));
  const gaps: VisitGap[] = [];
  shown.forEach((now, i) => {
    const before = shown[i - 1];
    if (!before || now.at <= before.at) return;
    gaps.push({ gap: (now.at - before.at) / DAY, changed: isChanged(before, now) });
  });
  const lastUpdate = shown.findLast(({ status }) => status !== 'unchanged')?.at;
  const size = shown.findLast((document) => document.size !== undefined)?.size;
  return {
    ...(lastUpdate !== undefined && { lastUpdate }),
    ...(gaps.length > 0 && { changesPerDay: significant(irregularRate(gaps).rate) }),
    ...(size !== undefined && { size }),
  };
}

/** If both have digests, those decide: two archives may alternate, and each compares with its own last access only. */
const isChanged = (before: DeltaDocument, now: DeltaDocument): boolean =>
  before.sha256 !== undefined && now.sha256 !== undefined
    ? before.sha256 !== now.sha256
    : now.status !== 'unchanged';

/** Six digits: more than an estimate is good for, and without noise in the last bits, which processors may round differently. */
const significant = (value: number): number => Number(value.toPrecision(6));
