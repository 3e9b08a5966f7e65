import type { EventDraft, PageInfo } from '../../model/capture.ts';
import { mediaType } from '../../model/exchange.ts';
import { judgeVersion } from '../../stages/judge-version.ts';
import { pageRecords, resourceList } from '../../stages/stored/page-records.ts';
import { isKeptApart, wallRecords } from '../../stages/stored/wall-records.ts';
import type { Analysed, Judged, Shown, VisitWorld } from './visit-state.ts';

/** Step: what is written of the visit, and whether its version is kept. */
export async function judge(state: Analysed, { ports, context }: VisitWorld): Promise<Judged> {
  const { entry, document, exchanges, analysis, isRedirect, fault } = state;
  const event = {
    id: ports.newId(),
    url: entry.url,
    at: document.exchange.startedAt,
    exchanges,
    ...(document.kind === 'not-modified' && { notModified: document.original }),
  };
  const asItIs = (draft: EventDraft, info?: PageInfo): Judged => ({
    ...state,
    at: 'judged',
    draft,
    info,
    change: undefined,
    payloadStored: undefined,
  });
  // It is no answer of this page: kept under a name of its own, so that no reader of the archive takes it for one.
  if (fault && isKeptApart(fault, document.exchange.response.status))
    return asItIs({ ...event, exchanges: [], derived: wallRecords(document.exchange, fault, state.title) });
  // A new version that a second visit found is a page of its own; of one that still stands there is nothing new to say.
  const isNew = entry.kind === 'revisit' && document.kind === 'answered' && !fault;
  if (isRedirect || (entry.kind !== 'page' && !isNew)) return asItIs({ ...event, derived: [] });
  const info = pageInfo(state);
  const shown = picturesOf(state.shown);
  if (entry.kind !== 'page' || fault) return asItIs({ ...event, derived: pageRecords(info, shown) }, info);
  const bodySize = document.content.response.body.size;
  const page = { event, bodySize, info, shown, analysis };
  const judged = await judgeVersion(page, context.versions, ports.store);
  return { ...state, at: 'judged', ...judged };
}

/** Views and text, where a browser or a template gave some. */
function picturesOf(shown: Shown): Parameters<typeof pageRecords>[1] {
  if (shown.by === 'bytes') return undefined;
  return shown.by === 'browser' ? shown.rendering : shown.filled;
}

function pageInfo(state: Analysed): PageInfo {
  const { entry, document, shown, finds, lost, analysis } = state;
  const { exchange, content } = document;
  return {
    url: entry.url,
    finalUrl: shown.by === 'browser' ? shown.rendering.finalUrl : entry.url,
    title: state.title,
    status: exchange.response.status,
    mime: mediaType(content.response.headers),
    at: exchange.startedAt,
    depth: entry.depth,
    reason: entry.reason,
    links: finds.links,
    resources: resourceList(state.loaded),
    ...(lost.length > 0 && { lost }),
    ...(state.standing && { perimeter: state.standing }),
    ...(analysis?.layoutAt !== undefined && { layoutAt: analysis.layoutAt }),
    facts: [...state.facts, ...(analysis?.facts ?? [])],
  };
}
