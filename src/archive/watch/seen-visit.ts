import { isSeen } from '../../model/comparison.ts';
import type { VisitLesson } from '../../model/visit-lesson.ts';
import type { PlannedVisit, SeenVisit } from '../../model/watch.ts';

/** Importance of a change that nobody looked at: the page was not rendered, and its bytes differ. */
const UNSEEN_CHANGE = 0.1;

export interface VisitCause {
  readonly kind: PlannedVisit['kind'];
  /** The archive held no version of it before. */
  readonly isFirst: boolean;
}

/** What a stored visit tells the loop, except what the page says of others. */
export function seenVisit(
  { url, at, outcome, status, bytes, requests, fault, change, redirect, hasLayout }: VisitLesson,
  { kind, isFirst }: VisitCause,
): Omit<SeenVisit, 'signals'> {
  const seen = { url, kind, at, requests, bytes };
  if (status === 404 || status === 410) return { ...seen, outcome: 'gone', importance: 0 };
  // It shows nothing of its own: its target is a page like any other.
  if (redirect !== undefined) return { ...seen, outcome: 'unchanged', importance: 0 };
  if (outcome === 'failed' || outcome === 'deferred')
    return {
      ...{ ...seen, outcome: 'failed', importance: 0 },
      fault: fault ?? `the server answered ${status}`,
    };
  if (isFirst) return { ...seen, outcome: 'changed', importance: 1, isFirst };
  if (change) {
    const { importance } = change;
    return { ...seen, outcome: isSeen(change) ? 'changed' : 'unchanged', importance };
  }
  // Where layouts were compared, a reader sees no change, even though the bytes differ.
  const isUnseen = outcome === 'captured' && !hasLayout;
  return { ...seen, outcome: isUnseen ? 'changed' : 'unchanged', importance: isUnseen ? UNSEEN_CHANGE : 0 };
}
