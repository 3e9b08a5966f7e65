import type { PayloadOriginal, Validators } from '../model/capture.ts';
import type { CrawlSpec } from '../model/crawl.ts';
import type { Exchange, ResponseMessage } from '../model/exchange.ts';
import { languageHeaders } from '../model/page-spec.ts';
import type { CaptureCatalog } from '../ports/catalog.ts';
import type { Fetcher } from '../ports/fetcher.ts';
import { type RecordReader, storedResponse } from '../ports/record-store.ts';

/** The result of asking for a URL. */
export type FetchedDocument =
  | {
      readonly kind: 'answered';
      readonly exchange: Exchange;
      /** What a reader of the page would see. */
      readonly content: Exchange;
      /** What went wrong on the way. */
      readonly facts: readonly string[];
    }
  | {
      readonly kind: 'not-modified';
      /** The server's 304. */
      readonly exchange: Exchange;
      /** The archived answer that still holds: links and rendering continue from it. */
      readonly content: Exchange;
      readonly original: PayloadOriginal;
      readonly facts: readonly string[];
    };

export interface FetchPorts {
  readonly fetcher: Fetcher;
  readonly catalog: CaptureCatalog;
  readonly reader: RecordReader;
}

/** Stage: asks for a URL, conditionally if the archive already holds it. Throws CaptureFault. */
export async function fetchDocument(
  url: string,
  spec: CrawlSpec,
  ports: FetchPorts,
  signal?: AbortSignal,
): Promise<FetchedDocument> {
  const ask = async (headers: Readonly<Record<string, string>>): Promise<Exchange> => {
    const exchange = await ports.fetcher.fetch({
      url,
      userAgent: spec.politeness.userAgent,
      headers: { ...languageHeaders(spec.page), ...headers },
      timeLimit: spec.limits.responseTime,
      sizeLimit: spec.limits.responseSize,
      ...(signal && { signal }),
    });
    // The server is not sent the fragment: decisions/0067.
    return url.includes('#') ? { ...exchange, url } : exchange;
  };
  const known = await ports.catalog.validators(url);
  const exchange = await ask(conditions(known));
  if (exchange.response.status !== 304 || !known)
    return { kind: 'answered', exchange, content: exchange, facts: [] };
  try {
    const response = await archived(known.original, ports);
    const content = { ...exchange, response };
    return { kind: 'not-modified', exchange, content, original: known.original, facts: [] };
  } catch (error) {
    await exchange.response.body.release();
    const why = error instanceof Error ? error.message : String(error);
    const again = await ask({});
    const facts = [`not modified, but the archived answer cannot be read, and was asked for again: ${why}`];
    return { kind: 'answered', exchange: again, content: again, facts };
  }
}

function conditions(known: Validators | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  if (known?.etag !== undefined) headers['if-none-match'] = known.etag;
  if (known?.lastModified !== undefined) headers['if-modified-since'] = known.lastModified;
  return headers;
}

async function archived(
  { recordId }: PayloadOriginal,
  { catalog, reader }: FetchPorts,
): Promise<ResponseMessage> {
  const fact = await catalog.captureByRecordId(recordId);
  const response = fact && storedResponse(await reader.read(fact));
  if (!response) throw new Error(`there is no answer in record ${recordId}`);
  return response;
}
