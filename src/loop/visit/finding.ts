import { textOf } from '../../model/body.ts';
import { deltaUri } from '../../model/derived-uris.ts';
import { GONE_STATUSES } from '../../model/exchange.ts';
import type { VisitFinding } from '../../ports/alert-judge.ts';
import type { VisitCommit } from '../../ports/catalog.ts';
import type { Judged } from './visit-state.ts';

/** What a visit found of a page. Undefined for what is no page, and for second visits, which compare nothing. */
export async function findingOf(state: Judged): Promise<VisitFinding | undefined> {
  const { entry, document, fault, change, info, isRedirect, shown, analysis } = state;
  if (entry.kind !== 'page') return undefined;
  const { status } = document.exchange.response;
  const delta = change && analysis?.records.find(({ uri }) => uri === deltaUri(entry.url));
  const snapshot = shown.by === 'browser' ? shown.rendering.snapshot : undefined;
  return {
    url: entry.url,
    at: document.exchange.startedAt,
    found: foundBy(status, { isRedirect, failed: fault !== undefined }),
    status,
    ...(fault && { fault: { kind: fault.kind, detail: fault.message } }),
    ...(change && { change }),
    ...(delta && { viDelta: await textOf(delta.body) }),
    ...(change && snapshot?.kind === 'taken' && { snapshot: snapshot.packed }),
    // What was found again is no new version: it did not shrink, and its records here are not those that it was stored with.
    ...(info?.version && info.version.reason !== 'unchanged' && { size: info.version.size }),
  };
}

/** Of a visit that brought nothing to store. One that is put off is still under way. */
export function failureOf({ visit }: VisitCommit): VisitFinding | undefined {
  if (visit.outcome !== 'failed') return undefined;
  const { url, at, fault } = visit;
  return { url, at, found: 'error', ...(fault && { fault }) };
}

/** Moved for good is gone, as patterns take it; moved for now says nothing of the page. */
function foundBy(
  status: number,
  { isRedirect, failed }: { readonly isRedirect: boolean; readonly failed: boolean },
): VisitFinding['found'] {
  if ((GONE_STATUSES as readonly number[]).includes(status)) return 'gone';
  if (failed) return 'error';
  return isRedirect ? 'elsewhere' : 'there';
}
