import type { CaptureFact, PageInfo } from '../model/capture.ts';
import type { CrawlSpec, FrontierEntry, VisitOutcome } from '../model/crawl.ts';
import { type Millis, mediaType } from '../model/exchange.ts';
import { CaptureFault } from '../model/fault.ts';
import type { Clock } from '../ports/clock.ts';
import type { NewId } from '../ports/ids.ts';
import type { PageReader } from '../ports/page-reader.ts';
import { type Answer, answerOf, redirectTarget, statusFault } from './answer.ts';
import { type FetchedDocument, type FetchPorts, fetchDocument } from './fetch-document.ts';
import { pageRecords } from './page-records.ts';
import type { EventDraft } from './record-event.ts';
import { mayRetry, nothingStored, type VisitResult } from './visit.ts';

export interface RevisitPorts extends FetchPorts {
  readonly pageReader: PageReader;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface RevisitContext {
  readonly spec: CrawlSpec;
  readonly signal?: AbortSignal;
  /** Called when the network part is over. */
  readonly onAnswer: (answer: Answer) => void;
}

/**
 * The second visit of a page: is it still what it was? Over HTTP alone, as a conditional request where the server
 * gave validators; what the page embeds belongs to the moment of its first visit. Nothing is discovered: the set of
 * pages is that of the first pass.
 *
 * A server that ignores the condition sends the page again, and its digest decides. One that says "not modified" is
 * believed, since there is nothing to compare: a page whose ETag stays while its bytes change is then taken for
 * unchanged. (Where it sends bytes, they decide, whatever the ETag says.)
 */
export async function revisit(
  entry: FrontierEntry,
  ports: RevisitPorts,
  context: RevisitContext,
): Promise<VisitResult> {
  const { clock } = ports;
  const { spec, signal, onAnswer } = context;
  const startedAt = clock.now();
  let asked: FetchedDocument | undefined;
  try {
    asked = await fetchDocument(entry, spec, ports, signal);
    const fault = statusFault(asked.exchange, clock.now());
    onAnswer(answerOf(asked.exchange, fault));
    if (fault && mayRetry(fault, entry, spec)) throw fault;
    return await answered(entry, asked, fault, startedAt, ports);
  } catch (error) {
    await asked?.exchange.response.body.release();
    if (!(error instanceof CaptureFault)) throw error;
    onAnswer({ responseTime: clock.now() - startedAt, fault: error.kind });
    return nothingStored(entry, error, startedAt, clock.now(), spec);
  }
}

async function answered(
  entry: FrontierEntry,
  { exchange, content, notModified }: FetchedDocument,
  fault: CaptureFault | undefined,
  startedAt: Millis,
  ports: RevisitPorts,
): Promise<VisitResult> {
  const isPage = !fault && redirectTarget(exchange) === undefined;
  // Of a page that still stands there is nothing new to say; a new version is a page of its own.
  const info = isPage && !notModified ? await read(entry, exchange, ports.pageReader) : undefined;
  const id = ports.newId();
  const draft: EventDraft = {
    id,
    url: entry.url,
    at: exchange.startedAt,
    exchanges: [exchange],
    derived: info ? pageRecords(info, undefined) : [],
    ...(notModified && { notModified }),
  };
  return {
    draft: Promise.resolve(draft),
    complete(captures: readonly CaptureFact[]) {
      const outcome: VisitOutcome = fault
        ? 'failed'
        : isUnchanged(entry, captures)
          ? 'unchanged'
          : 'captured';
      return {
        visit: {
          url: entry.url,
          at: startedAt,
          duration: ports.clock.now() - startedAt,
          reason: entry.reason,
          outcome,
          status: exchange.response.status,
          bytes: exchange.response.head.byteLength + exchange.response.body.size,
          eventId: id,
          ...(fault && { fault: { kind: fault.kind, detail: fault.message } }),
        },
        settlement: { entryId: entry.id, state: outcome },
        captures,
        ...(info && { page: info }),
        discovered: [],
        skips: [],
      };
    },
    async release() {
      await Promise.all([...new Set([exchange, content])].map(({ response }) => response.body.release()));
    },
  };
}

async function read(
  entry: FrontierEntry,
  exchange: FetchedDocument['exchange'],
  reader: PageReader,
): Promise<PageInfo> {
  const { title, links, facts } = await reader.read(exchange);
  return {
    url: entry.url,
    finalUrl: entry.url,
    title,
    status: exchange.response.status,
    mime: mediaType(exchange.response.headers),
    at: exchange.startedAt,
    depth: entry.depth,
    reason: entry.reason,
    links,
    resources: {},
    facts,
  };
}

/** A payload that the archive holds already, of this URL or another. Whether it is that of the visit: see site-capture. */
function isUnchanged({ url }: FrontierEntry, captures: readonly CaptureFact[]): boolean {
  return captures.find((fact) => fact.url === url && fact.type !== 'resource')?.refersTo !== undefined;
}
