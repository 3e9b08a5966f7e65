import { memoryBody, textOf } from '../model/body.ts';
import type { CaptureFact, DerivedRecord } from '../model/capture.ts';
import type { Change } from '../model/change.ts';
import { deltaUri, layoutUri, snapshotUri } from '../model/derived-uris.ts';
import type { Exchange } from '../model/exchange.ts';
import { type SnapshotOutcome, whyCut } from '../model/snapshot-codec.ts';
import type { Millis } from '../model/time.ts';
import type { CaptureCatalog, ChangeCatalog } from '../ports/catalog.ts';
import type { AnalysisRequest, PageAnalyser, PageAnalysis, PreviousVersion } from '../ports/page-analyser.ts';
import type { RecordReader } from '../ports/record-store.ts';
import { BLOCK_TEXTS } from '../science/delta/change-of.ts';
import { pictureDigests, sha256, withPictures } from './stored/snapshot.ts';

export interface AnalysisPorts {
  readonly analyser: PageAnalyser;
  readonly catalog: CaptureCatalog & ChangeCatalog;
  readonly reader: RecordReader;
}

/** What a rendering shows of a page. */
export interface RenderedPage {
  readonly url: string;
  readonly at: Millis;
  readonly snapshot: SnapshotOutcome;
  /** Only the pictures among them matter. */
  readonly exchanges: readonly Exchange[];
}

/** A page whose layout was filled from a template: no browser showed it. */
export interface TemplatePage {
  readonly url: string;
  readonly at: Millis;
  readonly viXml: string;
}

/** A stored capture that is analysed later: the caller goes through the versions of a page, and knows the previous one. */
export interface StoredPage {
  readonly url: string;
  readonly at: Millis;
  /** As archived, pictures included. */
  readonly packed: string;
  /** Absent for the first version. */
  readonly last?: LastVersion;
}

export interface AnalysedPage {
  /** Empty if an earlier version, already archived, shows the same. */
  readonly records: readonly DerivedRecord[];
  readonly change?: Change;
  /** Only what was seen is kept, to be analysed later. */
  readonly isLater?: true;
  /** Time of the capture whose layout this page has. */
  readonly layoutAt?: Millis;
  readonly facts: readonly string[];
}

/** Days after which a text that comes back is news again. */
const TOLD_DAYS = 3;
/** How many changes of those days, and operations of each, are searched. */
const TOLD_MOST = { changes: 60, operations: 300 } as const;

/** How many visits back the history of blocks goes. */
const COURSE_VISITS = 30;

/**
 * Stage: snapshot → layout → delta against the last archived version, as records of the capture event. A page that cannot be analysed is
 * still archived, with the reason among its facts, and its snapshot, so that it can be segmented later.
 */
export async function analysePage(page: RenderedPage, ports: AnalysisPorts): Promise<AnalysedPage> {
  const { url, at, snapshot } = page;
  if (snapshot.kind === 'none') return { records: [], facts: [`no layout: ${whyNone(snapshot)}`] };
  const packed = await archivedSnapshot(snapshot.packed, page.exchanges);
  const record = derived(snapshotUri(url), 'application/json', packed);
  const request = { url, version: new Date(at).toISOString(), packed };
  return analysed(page, request, [record], ports);
}

/** What is archived of a page to be analysed later: what was seen, whether or not it was seen before. */
export async function keepForLater({ url, snapshot, exchanges }: RenderedPage): Promise<AnalysedPage> {
  if (snapshot.kind === 'none') return { records: [], facts: [`no layout: ${whyNone(snapshot)}`] };
  const packed = await archivedSnapshot(snapshot.packed, exchanges);
  return { records: [derived(snapshotUri(url), 'application/json', packed)], facts: [], isLater: true };
}

/** Like analysePage, without a snapshot. */
export function analyseFilled(page: TemplatePage, ports: AnalysisPorts): Promise<AnalysedPage> {
  const { url, at, viXml } = page;
  return analysed(page, { url, version: new Date(at).toISOString(), filled: viXml }, [], ports);
}

/** Like analysePage, outside the order of visits. */
export function analyseStored(page: StoredPage, ports: AnalysisPorts): Promise<AnalysedPage> {
  const { url, at, packed, last } = page;
  const record = derived(snapshotUri(url), 'application/json', packed);
  const request = { url, version: new Date(at).toISOString(), packed };
  return analysed(page, request, [record], ports, async () => last);
}

/** The snapshot as archived: with its pictures. */
export const archivedSnapshot = async (packed: string, exchanges: readonly Exchange[]): Promise<string> =>
  withPictures(packed, await pictureDigests(exchanges));

async function analysed(
  page: Pick<RenderedPage, 'url' | 'at'>,
  request: AnalysisRequest,
  snapshot: readonly DerivedRecord[],
  ports: AnalysisPorts,
  lastOf: typeof lastVersion = lastVersion,
): Promise<AnalysedPage> {
  const { url, at } = page;
  const facts: string[] = [];
  try {
    const last = await lastOf(url, at, ports);
    if (last && !isCut(request.packed) && (await showsTheSame(last, request.packed)))
      return { records: [], layoutAt: last.layout.at, facts };
    if (last) return recordsOf(page, snapshot, await compared(request, last, ports), last.layout.at);
  } catch (error) {
    facts.push(`no delta: ${messageOf(error)}`);
  }
  // The first version, or the previous one cannot be compared: a damaged record must not cost all later layouts.
  try {
    return { ...recordsOf(page, snapshot, await ports.analyser.analyse(request), at), facts };
  } catch (error) {
    return { records: snapshot, facts: [...facts, `no layout: the analysis failed: ${messageOf(error)}`] };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export interface LastVersion {
  readonly layout: CaptureFact;
  readonly snapshot: CaptureFact | undefined;
}

/** The last version of the page archived before this capture. */
async function lastVersion(
  url: string,
  before: Millis,
  { catalog }: AnalysisPorts,
): Promise<LastVersion | undefined> {
  const layout = await latestBefore(layoutUri(url), before, catalog);
  if (!layout) return undefined;
  const snapshot = await catalog.closest(snapshotUri(url), layout.at);
  return { layout, snapshot: snapshot?.at === layout.at ? snapshot : undefined };
}

/** The nearest may be a later one, if records came from elsewhere or crawls ended out of order: then all earlier ones are searched. */
async function latestBefore(
  uri: string,
  before: Millis,
  catalog: CaptureCatalog,
): Promise<CaptureFact | undefined> {
  const nearest = await catalog.closest(uri, before);
  if (!nearest || nearest.at < before) return nearest;
  let latest: CaptureFact | undefined;
  for await (const fact of catalog.captures({ url: uri, to: before - 1 }))
    if (!latest || fact.at > latest.at) latest = fact;
  return latest;
}

const isCut = (packed: string | undefined): boolean => packed !== undefined && whyCut(packed) !== undefined;

/** Byte for byte, pictures included. */
async function showsTheSame({ snapshot }: LastVersion, packed: string | undefined): Promise<boolean> {
  if (packed === undefined || snapshot === undefined) return false;
  return snapshot.digest.sha256 === (await sha256(encoder.encode(packed)));
}

async function compared(
  request: AnalysisRequest,
  { layout, snapshot }: LastVersion,
  { analyser, catalog, reader }: AnalysisPorts,
): Promise<PageAnalysis> {
  const read = async (fact: CaptureFact): Promise<string> => textOf((await reader.read(fact)).payload);
  const course = await catalog.pageCourse(request.url, COURSE_VISITS, Date.parse(request.version));
  const told = await lastTold(catalog, request.url, layout.at);
  const ask = (previous: PreviousVersion): Promise<PageAnalysis> =>
    analyser.analyse({ ...request, course, told, previous });
  const analysis = await ask({ kind: 'layout', viXml: await read(layout) });
  if (analysis.kind !== 'other-segmenter') return analysis;
  const version = new Date(layout.at).toISOString();
  if (!snapshot)
    throw new Error(`the layout of ${version} is by ${analysis.segmenter}, and there is no snapshot of it`);
  return await ask({ kind: 'snapshot', packed: await read(snapshot), version });
}

/** What the page showed in the days before a version, and no longer showed then. */
export async function lastTold(catalog: ChangeCatalog, url: string, until: Millis): Promise<string[]> {
  const changes = await catalog.changes({
    url,
    since: until - TOLD_DAYS * 86_400_000,
    until,
    sort: 'time',
    limit: TOLD_MOST.changes,
    operationLimit: TOLD_MOST.operations,
  });
  const texts = changes.flatMap(({ operations }) =>
    operations.flatMap(({ element, old }) =>
      old === undefined || element === 'image' ? [] : element === 'block' ? old.split(BLOCK_TEXTS) : [old],
    ),
  );
  return [...new Set(texts)];
}

function recordsOf(
  { url, at }: Pick<RenderedPage, 'url' | 'at'>,
  snapshot: readonly DerivedRecord[],
  analysis: PageAnalysis,
  lastAt: Millis,
): AnalysedPage {
  if (analysis.kind === 'same') return { records: [], facts: [], layoutAt: lastAt };
  if (analysis.kind === 'other-segmenter')
    throw new Error(`a layout by ${analysis.segmenter} out of a snapshot`);
  const records = [...snapshot, derived(layoutUri(url), 'application/xml', analysis.viXml)];
  if (analysis.kind === 'first') return { records, layoutAt: at, facts: [] };
  records.push(derived(deltaUri(url), 'application/xml', analysis.viDelta));
  return { records, change: analysis.change, layoutAt: at, facts: [] };
}

const WHY_NONE = {
  'nothing-shown': 'the browser showed no document',
  'no-time': 'the page could not be looked at in time',
  unreadable: 'the page could not be looked at',
} as const;

export function whyNone(snapshot: SnapshotOutcome & { readonly kind: 'none' }): string {
  return snapshot.reason === 'not-html' ? noHtml(snapshot.contentType) : WHY_NONE[snapshot.reason];
}

export const noHtml = (contentType: string): string => `${contentType || 'an unnamed type'} is no HTML`;

const encoder = new TextEncoder();

const derived = (uri: string, contentType: string, text: string): DerivedRecord => ({
  uri,
  contentType,
  body: memoryBody(encoder.encode(text)),
});
