import { type Body, memoryBody } from '../model/body.ts';
import type { DerivedRecord } from '../model/capture.ts';
import type { Crawl, CrawlState } from '../model/crawl.ts';
import { CRAWL_LOG } from '../model/derived-uris.ts';
import type { InferredDirectory, VirtualDirectory } from '../model/inference.ts';
import type { Suspect } from '../model/perimeter.ts';
import type { Millis } from '../model/time.ts';
import type {
  CommitBatch,
  CommitCatalog,
  CrawlCatalog,
  FrontierCatalog,
  FrontierLogEntry,
  InferenceCatalog,
  LogPart,
  PerimeterCatalog,
  ResultCatalog,
  SkipRule,
  VisitCommit,
} from '../ports/catalog.ts';
import { isEntry, type LogHead, type LogLine, readLogHead, readLogLine } from './stored/log-schema.ts';

/**
 * The log of a crawl, as a record among its records: its spec, then one line per URL with the outcome. Faults and skips leave no
 * other trace in the WARC files, and `reindex` must be able to restore everything.
 */

/**
 * Maximum number of lines in the log of a crawl that was stopped but will continue. The catalog has the rest, and the log
 * written at the crawl's end has everything. If the catalog is lost before that, some pages are asked for again, but none are
 * lost: failures come first, and what was captured is in the records.
 */
export const STOPPED_LOG = 10_000;

const encoder = new TextEncoder();
/** JSON cannot express it, and limits are infinite unless given. */
const INFINITY = 'Infinity';

export async function crawlLog(
  crawl: Crawl,
  state: CrawlState,
  finishedAt: Millis,
  catalog: FrontierCatalog & ResultCatalog & InferenceCatalog & PerimeterCatalog,
): Promise<DerivedRecord> {
  const { key, startedAt, spec } = crawl;
  const counts = state === 'stopped' ? await catalog.hostCounts(crawl.id) : [];
  const leftOut = counts.reduce((sum, { entries }) => sum + entries, 0) - STOPPED_LOG;
  const isShort = leftOut > 0;
  const head: LogHead = { key, startedAt, finishedAt, state, spec, ...(isShort && { leftOut }) };
  async function* lines(): AsyncGenerator<string> {
    yield line(head);
    const parts: readonly LogPart[] = isShort
      ? [{ state: 'failed', limit: STOPPED_LOG }, { limit: STOPPED_LOG }]
      : [{}];
    for (const rule of await catalog.skipRules({ crawlId: crawl.id })) yield line({ skipped: rule });
    for (const note of await catalog.notes(crawl.id)) yield line({ note });
    // If the catalog of a stopped crawl is lost, these pages are visited again.
    if ((spec.skipByRules || spec.mirrors) && !isShort)
      for (const { crawlId: _, ...inferred } of await catalog.inferences({ crawlId: crawl.id }))
        yield line({ inferred });
    if (spec.perimeter && !isShort)
      for await (const { isRead: _, ...suspect } of catalog.perimeterUrls({
        perimeter: spec.perimeter.name,
        isRead: false,
      }))
        yield line({ suspect });
    if (spec.skipByRules && !isShort)
      for (const virtual of await catalog.virtualDirectories({ crawlId: crawl.id })) yield line({ virtual });
    for (const part of parts)
      for await (const entry of catalog.frontierLog(crawl.id, part)) yield line(entry);
  }
  // Whole pieces are hashed and packed at once: a million small ones would take minutes.
  async function* chunks(): AsyncGenerator<Uint8Array> {
    let text = '';
    for await (const next of lines()) {
      text += next;
      if (text.length < PIECE) continue;
      yield encoder.encode(text);
      text = '';
    }
    yield encoder.encode(text);
  }
  // A long log is regenerated whenever it is needed: for a million URLs it is some hundred megabytes.
  const held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks()) {
    size += chunk.byteLength;
    if (size <= HELD_LOG) held.push(chunk);
    else held.length = 0;
  }
  const body = size <= HELD_LOG ? memoryBody(joined(held, size)) : streamed(size, chunks);
  return { uri: `${CRAWL_LOG}${key}`, contentType: 'application/x-ndjson', body };
}

/** Characters of a log that are yielded together. */
const PIECE = 64 << 10;
/** Largest log that is kept in memory, in bytes. */
const HELD_LOG = 8 << 20;

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}

function streamed(size: number, chunks: Body['chunks']): Body {
  return { size, bytes: undefined, chunks, release: async () => {} };
}

const line = (value: unknown): string =>
  `${JSON.stringify(value, (_, part: unknown) => (part === Number.POSITIVE_INFINITY ? INFINITY : part))}\n`;

/** Entries per transaction. */
const BATCH = 500;

/** What a log says about its crawl; undefined if it cannot be read. */
export async function crawlOf(log: Body): Promise<LogHead | undefined> {
  const first = await jsonLines(log.chunks()).next();
  return first.done ? undefined : readLogHead(first.value);
}

/** All lines except its head. */
export async function* logLines(log: Body, onDamaged?: () => void): AsyncGenerator<LogLine> {
  let isHead = true;
  for await (const value of jsonLines(log.chunks(), onDamaged)) {
    const line = isHead ? undefined : readLogLine(value);
    if (line) yield line;
    else if (!isHead) onDamaged?.();
    isHead = false;
  }
}

type RestoredCatalog = CrawlCatalog & CommitCatalog & ResultCatalog;

/**
 * Restores a crawl from its log, unless the catalog has it already; returns the number of lines that restored nothing: damaged
 * ones, and those of a URL that an earlier line has named. All or nothing: a partially restored crawl is not listed, and the
 * next attempt starts over.
 */
export async function restoreCrawl(log: Body, catalog: RestoredCatalog): Promise<number> {
  const head = await crawlOf(log);
  if (!head) return 0;
  if (await catalog.hasCrawl(head.key, head.startedAt)) return 0;
  const id = await catalog.beginRestoring(head.key, head.spec, head.startedAt);
  let entries: FrontierLogEntry[] = [];
  const skipRules: SkipRule[] = [];
  const notes: string[] = [];
  const inferred: InferredDirectory[] = [];
  let suspects: Suspect[] = [];
  const virtual: VirtualDirectory[] = [];
  let lost = 0;
  // The log of a stopped crawl names its failures first, and some of them again among all URLs.
  const named = head.leftOut === undefined ? undefined : new Set<string>();
  for await (const entry of logLines(log, () => lost++)) {
    if (isEntry(entry)) {
      if (named?.has(keyOf(entry))) continue;
      named?.add(keyOf(entry));
      entries.push(entry);
    } else if ('note' in entry) notes.push(entry.note);
    else if ('inferred' in entry) inferred.push(entry.inferred);
    else if ('suspect' in entry) suspects.push(entry.suspect);
    else if ('virtual' in entry) virtual.push(entry.virtual);
    else skipRules.push(entry.skipped);
    if (suspects.length >= BATCH) {
      await catalog.commit({ ...NOTHING, crawlId: id, suspects });
      suspects = [];
    }
    if (entries.length >= BATCH) {
      lost += await restoreEntries(id, entries, catalog);
      entries = [];
    }
  }
  lost += await restoreEntries(id, entries, catalog);
  await catalog.commit({ ...NOTHING, crawlId: id, skipRules, notes, inferred, virtual, suspects });
  await catalog.setCrawlState(id, head.state, head.finishedAt);
  return lost;
}

const NOTHING: Omit<CommitBatch, 'crawlId'> = {
  visits: [],
  denials: [],
  captures: [],
  discovered: [],
  skips: [],
  fileLengths: new Map(),
};

/** A page is listed twice if it was to be revisited. */
const keyOf = ({ kind, url }: Pick<FrontierLogEntry, 'kind' | 'url'>): string =>
  kind === 'revisit' ? `again ${url}` : url;

/** Returns the number of entries that the frontier did not accept. */
async function restoreEntries(
  crawlId: number,
  entries: readonly FrontierLogEntry[],
  catalog: CommitCatalog,
): Promise<number> {
  const nothing = { ...NOTHING, crawlId };
  const queued = entries.filter(({ host }) => host !== '');
  const { enqueued } = await catalog.commit({
    ...nothing,
    discovered: queued.map(({ state: _state, skip: _skip, visits: _visits, ...entry }) => entry),
    skips: entries.flatMap(({ host, url, depth, via, skip }) =>
      host === '' && skip ? [{ url, depth, ...skip, ...(via !== undefined && { via }) }] : [],
    ),
  });
  const ids = new Map(enqueued.map((entry) => [keyOf(entry), entry.id]));
  const visits: VisitCommit[] = [];
  const denials = [];
  let refused = 0;
  for (const { kind, url, skip, visits: made } of queued) {
    const key = keyOf({ kind, url });
    const entryId = ids.get(key);
    if (entryId === undefined) {
      refused++;
      continue;
    }
    ids.delete(key);
    if (skip) denials.push({ entryId, ...skip });
    for (const visit of made) {
      const settlement =
        visit.outcome === 'deferred'
          ? ({ entryId, state: 'deferred', notBefore: 0 } as const)
          : { entryId, state: visit.outcome };
      visits.push({ visit, settlement, captures: [], discovered: [], skips: [] });
    }
  }
  await catalog.commit({ ...nothing, visits, denials });
  return refused;
}

async function* jsonLines(
  chunks: AsyncIterable<Uint8Array>,
  onDamaged?: () => void,
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const value = parsed(part);
      if (value !== undefined) yield value;
      else if (part !== '') onDamaged?.();
    }
  }
  // Every line is terminated: the last one was cut off.
  if (rest !== '') onDamaged?.();
}

/** A damaged line loses only that line. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_, part: unknown) => (part === INFINITY ? Number.POSITIVE_INFINITY : part));
  } catch {
    return undefined;
  }
}
