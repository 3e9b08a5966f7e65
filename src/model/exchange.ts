import type { Body } from './body.ts';
import type { Millis } from './time.ts';

/** Header fields in the order and spelling of the wire. Bytes are read as latin1, so nothing is lost. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Why a response ends early, in the words of the WARC standard's `WARC-Truncated`. */
export type Truncation = 'length' | 'time' | 'disconnect' | 'unspecified';

/** How the body bytes of a response are framed on the wire. */
export type Framing = 'identity' | 'chunked';

export interface RequestMessage {
  readonly method: string;
  readonly headers: HeaderList;
  /** Request line, header fields and the empty line, exactly as sent. */
  readonly head: Uint8Array;
  readonly body: Body;
}

export interface ResponseMessage {
  readonly status: number;
  readonly headers: HeaderList;
  /** Status line, header fields and the empty line, exactly as received. */
  readonly head: Uint8Array;
  /** As received, transfer coding included: see `framing`. Content coding (gzip, br) is kept too. */
  readonly body: Body;
  readonly framing: Framing;
}

/** How the bytes came. Browser exchanges are content-decoded by Chromium; HTTP ones are raw. */
export type Road = 'http' | 'browser';

/** One request and its answer: the unit that becomes a pair of WARC records sharing one `WARC-Date`. */
export interface Exchange {
  /** The requested URL: without fragment, unless the page belongs to a `page-spa` scope, whose fragments no server sees. */
  readonly url: string;
  readonly startedAt: Millis;
  readonly finishedAt: Millis;
  readonly request: RequestMessage;
  readonly response: ResponseMessage;
  readonly road: Road;
  /** `WARC-Protocol` values, e.g. ['http/1.1', 'tls/1.3']. */
  readonly protocols: readonly string[];
  readonly ip?: string;
  readonly truncated?: Truncation;
  /** What the page used it for, as CDP says it (document, image, script …); `WARC-Resource-Type`. */
  readonly resourceType?: string;
}

/** First value of a header field, names compared without case. */
export function header(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (const [key, value] of headers) if (key.toLowerCase() === wanted) return value;
  return undefined;
}

/** The media type without parameters, in lower case; '' when the server gave none. */
export function mediaType(headers: HeaderList): string {
  return (header(headers, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

export function isHtml(type: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml';
}

/** Statuses that send the visitor to another address. */
export const REDIRECT_STATUSES = [301, 302, 303, 307, 308] as const;

/** Answers that say a page is no longer there: gone, or moved for good. */
export const GONE_STATUSES = [301, 308, 404, 410] as const;

export function isRedirect(status: number): boolean {
  return (REDIRECT_STATUSES as readonly number[]).includes(status);
}

/** Any answer that sends the visitor elsewhere, also by a status that no browser follows: its head says all of it, and it needs no payload. */
export function leadsElsewhere(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

/** Where a redirect leads, as the server wrote it; undefined when the answer is not one. */
export function redirectTarget({ response }: Pick<Exchange, 'response'>): string | undefined {
  return isRedirect(response.status) ? header(response.headers, 'location') : undefined;
}
