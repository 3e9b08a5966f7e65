import type { CaptureFact, DerivedRecord, EventDraft, PageInfo } from '../model/capture.ts';
import type { Change } from '../model/change.ts';
import { deltaUri, layoutUri, snapshotUri } from '../model/derived-uris.ts';
import type { RecordStore } from '../ports/record-store.ts';
import type { AnalysedPage } from './analyse-page.ts';
import type { VersionKeeper } from './keep-versions.ts';
import { pageRecords } from './stored/page-records.ts';

export interface PageEvent {
  /** The event with all its exchanges, without derived records. */
  readonly event: Omit<EventDraft, 'derived'>;
  /** Bytes of the body that readers get: that of the archived answer if the server said that it still holds. */
  readonly bodySize: number;
  readonly info: PageInfo;
  readonly shown: Parameters<typeof pageRecords>[1];
  readonly analysis: AnalysedPage | undefined;
}

export interface JudgedEvent {
  readonly draft: EventDraft;
  readonly info: PageInfo;
  /** The change the catalog is to record; not one it knows from an earlier visit. */
  readonly change: Change | undefined;
  /** The page is as it was last archived. */
  readonly payloadStored: boolean | undefined;
}

/**
 * Stage: decides what is written of a page that was there. Of a version that is not to be kept, the page info and the delta
 * are written: time, digest, importance and what changed stay as facts. Its payload is written only if the archive already
 * holds it, as a revisit record, which is then true.
 */
export async function judgeVersion(
  { event, bodySize, info, shown, analysis }: PageEvent,
  versions: VersionKeeper,
  store: Pick<RecordStore, 'digest'>,
): Promise<JudgedEvent> {
  const [main] = event.exchanges;
  const { notModified } = event;
  const { layoutAt, change } = analysis ?? {};
  const { fact, payloadStored } = await versions.judge({
    url: info.url,
    at: info.at,
    sha256: notModified?.sha256 ?? (main ? (await store.digest(main.response)).sha256 : ''),
    size: bodySize + sizeOf(shown, analysis?.records ?? []),
    ...(layoutAt !== undefined && { seen: { layoutAt, change } }),
  });
  if (fact.kept) {
    const judged = { ...info, version: fact };
    return {
      draft: { ...event, derived: pageRecords(judged, shown, analysis?.records) },
      info: judged,
      change,
      payloadStored,
    };
  }
  // What the visit before already saw has its delta.
  const isNews = fact.reason !== 'unchanged';
  const heavy = new Set([
    snapshotUri(info.url),
    layoutUri(info.url),
    ...(isNews ? [] : [deltaUri(info.url)]),
  ]);
  const facts = (analysis?.records ?? []).filter(({ uri }) => !heavy.has(uri));
  // Its layout is not archived: no capture has it.
  const { layoutAt: _, ...light } = info;
  const judged = { ...(change ? light : info), version: fact };
  const exchanges = main && (notModified || payloadStored) ? [main] : [];
  const draft = { ...event, exchanges, derived: pageRecords(judged, undefined, facts) };
  return { draft, info: judged, change: isNews ? change : undefined, payloadStored };
}

/**
 * Without a record of its payload, a version was left out. A revisit record does not tell whether it is as it was last
 * archived: its payload may have been stored first under another address, or have been here before the last one.
 */
export function outcomeOf(
  url: string,
  captures: readonly CaptureFact[],
  payloadStored: boolean | undefined,
): 'captured' | 'unchanged' | 'dropped' {
  const main = captures.find((fact) => fact.url === url && fact.type !== 'resource');
  if (!main) return 'dropped';
  return (payloadStored ?? main.refersTo?.url === url) ? 'unchanged' : 'captured';
}

function sizeOf(shown: PageEvent['shown'], records: readonly DerivedRecord[]): number {
  const derived = records.reduce((sum, { body }) => sum + body.size, 0);
  if (!shown) return derived;
  const pictures =
    (shown.view?.bytes.byteLength ?? 0) +
    (shown.thumbnail?.bytes.byteLength ?? 0) +
    (shown.fullView?.bytes.byteLength ?? 0);
  // A character of text is a byte or two: close enough for a budget.
  return derived + pictures + shown.text.length;
}
