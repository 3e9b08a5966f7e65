import type { CaptureFact } from '../../model/capture.ts';
import { CaptureFault } from '../../model/fault.ts';
import type { VisitCommit } from '../../ports/catalog.ts';
import { outcomeOf } from '../../stages/judge-version.ts';
import { isKeptApart } from '../../stages/stored/wall-records.ts';
import type { Judged, VisitWorld } from './visit-state.ts';

/** Step: what the catalog is to know of the visit, once its records are in the file. */
export function record(state: Judged, captures: readonly CaptureFact[], { ports }: VisitWorld): VisitCommit {
  const { entry, startedAt, draft, info, change, fault, discovery } = state;
  const outcome = fault
    ? 'failed'
    : entry.kind === 'revisit'
      ? ofRevisit(entry.url, captures)
      : outcomeOf(entry.url, captures, state.payloadStored);
  const problem = problemOf(state);
  return {
    visit: {
      url: entry.url,
      at: startedAt,
      duration: ports.clock.now() - startedAt,
      reason: entry.reason,
      outcome,
      ...statusOf(state),
      bytes: state.exchanges.reduce(
        (sum, { response }) => sum + response.head.byteLength + response.body.size,
        0,
      ),
      eventId: draft.id,
      ...(problem && { fault: { kind: problem.kind, detail: problem.message } }),
    },
    settlement: { entryId: entry.id, state: outcome },
    captures,
    ...(info && { page: info }),
    ...(change && { change }),
    ...(state.analysis?.isLater && { analyseLater: true as const }),
    ...redirectOf(state),
    ...discovery,
  };
}

/** The status of an answer that is not the page says nothing of the page: it stands with the answer. */
function statusOf({ document, fault }: Judged): { readonly status?: number } {
  const { status } = document.exchange.response;
  return fault && isKeptApart(fault, status) ? {} : { status };
}

/** In the form in which it was queued, where it was. */
function redirectOf({ entry, finds, discovery }: Judged): Pick<VisitCommit, 'redirect'> {
  if (entry.kind !== 'page' || finds.redirect === undefined) return {};
  const queued = discovery.discovered.find(({ redirects }) => redirects > 0);
  return { redirect: queued?.url ?? finds.redirect };
}

/** Why it failed, or what is wrong with what was captured. */
function problemOf({ entry, fault, impairment, shown, cut }: Judged): CaptureFault | undefined {
  if (fault ?? impairment) return fault ?? impairment;
  if (shown.by === 'bytes' && shown.notRendered) return shown.notRendered;
  if (shown.by === 'browser' && shown.template.kind === 'failed') return shown.template.fault;
  return cut.length > 0 ? new CaptureFault('page-cut', entry.url, cut.join('; ')) : undefined;
}

/** A payload that the archive holds already, of this URL or another. Whether it is that of the visit: see site-capture. */
function ofRevisit(url: string, captures: readonly CaptureFact[]): 'unchanged' | 'captured' {
  const main = captures.find((fact) => fact.url === url && fact.type !== 'resource');
  return main?.refersTo === undefined ? 'captured' : 'unchanged';
}
