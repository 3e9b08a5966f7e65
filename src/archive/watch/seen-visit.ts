import { isWebCapture } from '../../model/capture.ts';
import { isSeen } from '../../model/comparison.ts';
import type { FrontierEntry } from '../../model/crawl.ts';
import type { PlannedVisit, SeenVisit } from '../../model/watch.ts';
import type { VisitCommit } from '../../ports/catalog.ts';

/** Importance of a change that nobody looked at: the page was not rendered, and its bytes are others. */
const UNSEEN_CHANGE = 0.1;

export interface VisitCause {
  readonly kind: PlannedVisit['kind'];
  /** The archive held no version of it before. */
  readonly isFirst: boolean;
}

/** What a stored visit tells the loop, but for what the page says of others. */
export function seenVisit(
  entry: Pick<FrontierEntry, 'url'>,
  { visit, captures, change, redirect, page }: VisitCommit,
  { kind, isFirst }: VisitCause,
): Omit<SeenVisit, 'signals'> {
  const requests = Math.max(1, captures.filter(isWebCapture).length);
  const seen = { url: entry.url, kind, at: visit.at, requests, bytes: visit.bytes };
  if (visit.status === 404 || visit.status === 410) return { ...seen, outcome: 'gone', importance: 0 };
  // It shows nothing of its own: where it leads is a page like others.
  if (redirect !== undefined) return { ...seen, outcome: 'unchanged', importance: 0 };
  if (visit.outcome === 'failed' || visit.outcome === 'deferred')
    return {
      ...{ ...seen, outcome: 'failed', importance: 0 },
      fault: visit.fault?.detail ?? `the server answered ${visit.status}`,
    };
  if (isFirst) return { ...seen, outcome: 'changed', importance: 1, isFirst };
  if (change) {
    const { importance } = change;
    return { ...seen, outcome: isSeen(change) ? 'changed' : 'unchanged', importance };
  }
  // Where a layout was compared there is no change to a reader, though the bytes are others.
  const isUnseen = visit.outcome === 'captured' && page?.layoutAt === undefined;
  return { ...seen, outcome: isUnseen ? 'changed' : 'unchanged', importance: isUnseen ? UNSEEN_CHANGE : 0 };
}
