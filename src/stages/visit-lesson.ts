import { isWebCapture } from '../model/capture.ts';
import type { FrontierEntry } from '../model/crawl.ts';
import type { VisitLesson } from '../model/visit-lesson.ts';
import type { VisitCommit } from '../ports/catalog.ts';

/** Stage: what a visit teaches, from what is stored of it. For what pages embed, only what it cost. */
export function lessonOf(
  { url, kind, redirects, reason }: Pick<FrontierEntry, 'url' | 'kind' | 'redirects' | 'reason'>,
  { visit, captures, change, redirect, page }: Omit<VisitCommit, 'settlement' | 'discovered' | 'skips'>,
): VisitLesson {
  const { at, outcome, status, bytes, fault } = visit;
  const requests = Math.max(1, captures.filter(isWebCapture).length);
  const taken = { url, kind, redirects, reason, at, outcome, bytes, requests };
  if (kind !== 'page') return { ...taken, links: [] };
  const answer = captures.find((fact) => fact.url === url && fact.type === 'response');
  return {
    ...taken,
    ...(status !== undefined && { status }),
    ...(fault && { fault: fault.detail }),
    ...(change && {
      change: {
        importance: change.importance,
        ...(change.salience !== undefined && { salience: change.salience }),
      },
    }),
    ...(redirect !== undefined && { redirect }),
    ...(page?.layoutAt !== undefined && { hasLayout: true }),
    ...(answer && { answer }),
    links: page?.links ?? [],
  };
}
