import { textOf } from '../model/body.ts';
import { type CaptureFact, isWebCapture, type PageInfo } from '../model/capture.ts';
import type { Change } from '../model/change.ts';
import { ANALYSIS, CRAWL_LOG } from '../model/derived-uris.ts';
import { isHtml, redirectTarget } from '../model/exchange.ts';
import { readStanding } from '../model/perimeter.ts';
import { SITE_DELTA } from '../model/site-delta.ts';
import { readVersionAnalysis, type VersionAnalysis } from '../model/version-analysis.ts';
import type { CommitCatalog, IndexedAnalysis, SeenRedirect } from '../ports/catalog.ts';
import type { PageReader } from '../ports/page-reader.ts';
import { type StoredRecord, storedResponse } from '../ports/record-store.ts';
import { changeOf } from '../science/delta/change-of.ts';
import { parseViDelta } from '../science/delta/read-vi-delta.ts';

/** A record as found in a file, with what the index knows of it. */
export interface ScannedRecord {
  readonly fact: CaptureFact;
  readonly record: StoredRecord;
}

export interface IndexPorts {
  readonly catalog: CommitCatalog;
  readonly pageReader: PageReader;
}

export interface IndexProblem {
  readonly file: string;
  readonly offset: number;
  readonly reason: string;
}

export interface Indexed {
  readonly captures: number;
  /** Captures that the catalog knows from another place, and lists there. */
  readonly twice: number;
  readonly pages: number;
  /** Our own records that are present but cannot be understood: what they would have said is missing in the catalog. */
  readonly problems: readonly IndexProblem[];
  /** Logs of crawls among the records, in the order of the file: see crawl-log.ts. */
  readonly logs: readonly CaptureFact[];
  /** Site-deltas among the records. */
  readonly histories: readonly CaptureFact[];
}

/** Captures per transaction. */
const BATCH = 500;

/**
 * Stage: the records of one file become rows of the catalog. Our own files say in page info records which captures are
 * pages; in files of other tools every HTML answer with status 200 counts as one, and is read.
 */
export async function indexRecords(
  file: { readonly name: string; readonly size: number; readonly ours: boolean },
  records: AsyncIterable<ScannedRecord>,
  { catalog, pageReader }: IndexPorts,
  onProgress?: (offset: number) => void,
): Promise<Indexed> {
  let captures: CaptureFact[] = [];
  let pages: PageInfo[] = [];
  let changes: Change[] = [];
  let redirects: SeenRedirect[] = [];
  let analyses: IndexedAnalysis[] = [];
  /** Of the current event: a crawl's, unless the event ends with an analysis. */
  let delta: { readonly eventId: string | undefined; readonly change: Change } | undefined;
  const done = { captures: 0, twice: 0, pages: 0 };
  const logs: CaptureFact[] = [];
  const histories: CaptureFact[] = [];
  const problems: IndexProblem[] = [];
  async function understood<T>(
    fact: CaptureFact,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      problems.push({
        file: file.name,
        offset: fact.offset,
        reason: `${fact.url} cannot be understood: ${why}`,
      });
      return undefined;
    }
  }

  /**
   * Only the last batch sets the length of the file: a half-indexed file must not pass for a shorter one. If it contains
   * logs or histories it is not done yet: the code that restores them reports it.
   */
  async function flush(isLast: boolean): Promise<void> {
    const extent =
      isLast && logs.length + histories.length === 0
        ? { fileLengths: new Map([[file.name, file.size]]) }
        : { fileLengths: new Map(), unfinishedFile: file.name };
    const { elsewhere } = await catalog.index({ captures, pages, changes, redirects, analyses, ...extent });
    const twice = elsewhere.filter(isWebCapture).length;
    done.captures += captures.filter(isWebCapture).length - twice;
    done.twice += twice;
    done.pages += pages.length;
    captures = [];
    pages = [];
    changes = [];
    redirects = [];
    analyses = [];
  }

  function settleDelta(): void {
    if (delta) changes.push(delta.change);
    delta = undefined;
  }

  for await (const { fact, record } of records) {
    captures.push(fact);
    if (file.ours && fact.url.startsWith(CRAWL_LOG)) logs.push(fact);
    if (file.ours && fact.url.startsWith(SITE_DELTA)) histories.push(fact);
    const page = file.ours
      ? await understood(fact, () => pageInfo(fact, record))
      : await foreignPage(fact, record, pageReader);
    if (page) pages.push(page);
    const redirect = redirectOf(fact, record);
    if (redirect) redirects.push(redirect);
    if (delta && delta.eventId !== fact.eventId) settleDelta();
    const change = file.ours ? await understood(fact, () => changeFrom(fact, record)) : undefined;
    if (change) delta = { eventId: fact.eventId, change };
    const analysis = file.ours ? await understood(fact, () => analysisFrom(fact, record)) : undefined;
    if (analysis && fact.eventId !== undefined) {
      analyses.push({ analysis, eventId: fact.eventId, ...(delta && { change: delta.change }) });
      delta = undefined;
    }
    if (captures.length >= BATCH) {
      onProgress?.(fact.offset + fact.length);
      await flush(false);
    }
  }
  settleDelta();
  await flush(true);
  return { ...done, problems, logs, histories };
}

/** Of pages and of what they embed: a record does not say which. Nobody links to the latter, so they have no effect. */
function redirectOf({ url, at, type, method }: CaptureFact, record: StoredRecord): SeenRedirect | undefined {
  const response = type === 'response' && method === 'GET' ? storedResponse(record) : undefined;
  const location = response && redirectTarget({ response });
  if (location === undefined || !URL.canParse(location, url)) return undefined;
  const to = new URL(location, url);
  to.hash = '';
  return /^https?:$/.test(to.protocol) ? { url, to: to.href, at } : undefined;
}

async function pageInfo(fact: CaptureFact, record: StoredRecord): Promise<PageInfo | undefined> {
  if (fact.type !== 'resource' || !fact.url.startsWith('urn:pageinfo:')) return undefined;
  const info = JSON.parse(await textOf(record.payload)) as Partial<PageInfo> | null;
  if (typeof info?.url !== 'string' || typeof info.at !== 'number' || !Array.isArray(info.links))
    throw new Error('it is no page info');
  if (info.perimeter !== undefined && !readStanding(info.perimeter))
    throw new Error('how it stands to a perimeter is damaged');
  return info as PageInfo;
}

async function changeFrom(fact: CaptureFact, record: StoredRecord): Promise<Change | undefined> {
  if (fact.type !== 'resource' || !fact.url.startsWith('urn:delta:')) return undefined;
  return changeOf(parseViDelta(await textOf(record.payload)));
}

async function analysisFrom(fact: CaptureFact, record: StoredRecord): Promise<VersionAnalysis | undefined> {
  if (fact.type !== 'resource' || !fact.url.startsWith(ANALYSIS)) return undefined;
  const analysis = readVersionAnalysis(JSON.parse(await textOf(record.payload)));
  if (!analysis) throw new Error('it is no analysis of a capture');
  return analysis;
}

async function foreignPage(
  fact: CaptureFact,
  record: StoredRecord,
  reader: PageReader,
): Promise<PageInfo | undefined> {
  if (fact.type !== 'response' || fact.status !== 200 || fact.method !== 'GET' || !isHtml(fact.mime))
    return undefined;
  const response = storedResponse(record);
  if (!response || !/^https?:/i.test(fact.url)) return undefined;
  const { status } = response;
  const { title, links, facts } = await reader.read({ url: fact.url, response });
  return {
    url: fact.url,
    finalUrl: fact.url,
    title,
    status,
    mime: fact.mime,
    at: fact.at,
    depth: 0,
    reason: 'imported',
    links,
    resources: {},
    facts,
  };
}
