import type { CaptureFact, PayloadOriginal } from '../model/capture.ts';
import type { CrawlSpec, FrontierEntry } from '../model/crawl.ts';
import type { Exchange, ResponseMessage } from '../model/exchange.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Fetcher } from '../ports/fetcher.ts';
import type { RecordReader } from '../ports/record-store.ts';

/**
 * What asking for a URL came to. `content` is what a reader of the page would see: for a 304 it is the
 * archived answer that the server says still holds, so that links, and rendering, go on from it.
 */
export interface FetchedDocument {
  readonly exchange: Exchange;
  readonly content: Exchange;
  /** Set when the server answered 304: the capture whose payload still holds. */
  readonly notModified?: PayloadOriginal;
}

export interface FetchPorts {
  readonly fetcher: Fetcher;
  readonly catalog: Pick<Catalog, 'validators' | 'captureByRecordId'>;
  readonly reader: RecordReader;
}

/** Asks for a URL, conditionally where the archive holds it already. Throws CaptureFault. */
export async function fetchDocument(
  entry: Pick<FrontierEntry, 'url'>,
  spec: CrawlSpec,
  ports: FetchPorts,
  signal?: AbortSignal,
): Promise<FetchedDocument> {
  const known = await ports.catalog.validators(entry.url);
  const headers: Record<string, string> = {};
  if (known?.etag !== undefined) headers['if-none-match'] = known.etag;
  if (known?.lastModified !== undefined) headers['if-modified-since'] = known.lastModified;

  const exchange = await ports.fetcher.fetch({
    url: entry.url,
    userAgent: spec.politeness.userAgent,
    headers,
    timeLimit: spec.limits.responseTime,
    sizeLimit: spec.limits.responseSize,
    ...(signal && { signal }),
  });
  if (exchange.response.status !== 304 || !known) return { exchange, content: exchange };
  const content = await archived(known.original, exchange, ports);
  return { exchange, content, notModified: known.original };
}

/** The archived answer in the shape of an exchange. */
async function archived(original: PayloadOriginal, answer: Exchange, ports: FetchPorts): Promise<Exchange> {
  const fact = await ports.catalog.captureByRecordId(original.recordId);
  if (!fact) return answer;
  const response = await storedResponse(fact, ports.reader);
  return response ? { ...answer, response } : answer;
}

/** Undefined for a record that holds no HTTP message. */
export async function storedResponse(
  fact: CaptureFact,
  reader: RecordReader,
): Promise<ResponseMessage | undefined> {
  const { http, payload } = await reader.read(fact);
  if (!http) return undefined;
  const { status, headers, head } = http;
  // The reader has removed the transfer coding already.
  const plain = headers.filter(([name]) => name.toLowerCase() !== 'transfer-encoding');
  return { status, headers: plain, head, body: payload, framing: 'identity' };
}
