/**
 * Request and response heads as they go into WARC records.
 *
 * Chromium hands out bodies with the content coding undone, so a head that still said `Content-Encoding: gzip`
 * would make readers fail on the bytes. Such fields are renamed `x-orig-…`, as Browsertrix does, and
 * `Content-Length` is corrected. A head that needs no such change stays as the server wrote it.
 */
import { type HeaderList, header } from '../../model/exchange.ts';
import { headerLines } from '../../model/http-message.ts';

/** The codings Chromium undoes. One it does not know stays in the bytes, and in the head. */
const UNDONE = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd']);

export interface Head {
  readonly headers: HeaderList;
  readonly bytes: Uint8Array;
}

export function isContentDecoded(headers: HeaderList): boolean {
  const coding = header(headers, 'content-encoding');
  return coding?.split(',').some((part) => UNDONE.has(part.trim().toLowerCase())) ?? false;
}

/** CDP joins the values of repeated fields with line feeds. */
export function headerList(headers: Readonly<Record<string, string>>): [string, string][] {
  const list: [string, string][] = [];
  for (const [name, values] of Object.entries(headers)) {
    for (const value of values.split('\n')) list.push([name, value]);
  }
  return list;
}

export function requestHead(method: string, url: string, fields: HeaderList): Head {
  const { host, pathname, search } = new URL(url);
  const pseudo = new Map(fields.filter(([name]) => name.startsWith(':')));
  const headers = fields.filter(([name]) => !name.startsWith(':'));
  if (header(headers, 'host') === undefined) headers.unshift(['Host', pseudo.get(':authority') ?? host]);
  return { headers, bytes: encodeHead(`${method} ${pathname}${search} HTTP/1.1`, headers) };
}

export interface ResponseHeadInput {
  readonly status: number;
  readonly statusText: string;
  readonly headers: HeaderList;
  /** As received: HTTP/1.x only. */
  readonly headersText: string | undefined;
  /** Size of the body in the record; undefined when the body is not complete. */
  readonly bodySize: number | undefined;
  /** HEAD, 204 and 304 give the length of a body that is not sent. */
  readonly bodiless: boolean;
}

export function responseHead(input: ResponseHeadInput): Head {
  const verbatim = input.headersText === undefined ? undefined : parseHeadersText(input.headersText);
  const statusLine =
    verbatim?.statusLine ??
    `HTTP/1.1 ${input.status} ${input.statusText}`.trimEnd().concat(input.statusText ? '' : ' ');
  const received = verbatim?.headers ?? input.headers;
  const headers = input.bodiless ? received : madeTrue(received, input.bodySize);
  return { headers, bytes: encodeHead(statusLine, headers) };
}

function madeTrue(received: HeaderList, bodySize: number | undefined): HeaderList {
  const decoded = isContentDecoded(received);
  const headers: (readonly [string, string])[] = [];
  for (const field of received) {
    const [name, value] = field;
    const key = name.toLowerCase();
    if (key === 'transfer-encoding' || (decoded && key === 'content-encoding')) {
      headers.push([`x-orig-${key}`, value]);
    } else if (key === 'content-length' && (bodySize === undefined ? decoded : value !== String(bodySize))) {
      headers.push([`x-orig-${key}`, value]);
    } else {
      headers.push(field);
    }
  }
  if (bodySize !== undefined && header(headers, 'content-length') === undefined) {
    headers.push(['Content-Length', String(bodySize)]);
  }
  return headers;
}

function parseHeadersText(text: string): { statusLine: string; headers: HeaderList } | undefined {
  const [statusLine, ...lines] = text.split(/\r?\n/);
  if (!statusLine?.startsWith('HTTP/')) return undefined;
  const end = lines.indexOf('');
  return { statusLine, headers: headerLines(end < 0 ? lines : lines.slice(0, end)) };
}

function encodeHead(firstLine: string, headers: HeaderList): Uint8Array {
  let text = `${firstLine}\r\n`;
  for (const [name, value] of headers) text += `${name}: ${value}\r\n`;
  text += '\r\n';
  // Fields are bytes read as latin1; CDP decodes those that are valid UTF-8, and the result does not fit
  // latin1.
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 255) return Buffer.from(text, 'utf8');
  return Buffer.from(text, 'latin1');
}
