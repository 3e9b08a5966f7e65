import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asciiUrl } from '../access/memento/memento-links.ts';
import { formatTimestamp } from '../access/replay-url.ts';
import { type CaptureResolver, type ResolvedCapture, redirectTarget } from '../access/resolve-capture.ts';
import { storedAnswer } from '../access/stored-answers.ts';
import { header, mediaType } from '../model/exchange.ts';
import type { SourceReader } from '../ports/page-reader.ts';
import { sendableHeaders, visibleCookies } from './archived-headers.ts';
import { parseRange, rangeOf } from './byte-range.ts';
import { capturedView } from './captured-view.ts';
import { replayedHtml } from './replayed-html.ts';

/** Set by the worker on requests for documents: what a script fetches stays as it was stored. */
export const AS_DOCUMENT = 'x-replay-document';

/**
 * Three ways to send one capture.
 * `raw`: to people and tools, by `/<collection>/<timestamp>id_/<url>`: the archived status, redirects that
 * lead to raw captures, Memento headers.
 * `wabac`: to the service worker. Its fetch follows redirects and takes a 4xx or 5xx for a fault of ours, so
 * every capture goes out as 200 (or 206) and the archived status rides in the `x-redirect-status`,
 * `x-orig-location` and `x-proxy-set-cookie` fields that wabac's live proxy reads. HTML goes out prepared:
 * see replayed-html.ts.
 * `still`: the same for replay without scripts.
 */
export type Dialect = 'raw' | 'wabac' | 'still';

export interface SendingOptions {
  readonly dialect: Dialect;
  readonly collection: string;
  readonly resolver: CaptureResolver;
  readonly pageReader: SourceReader;
  /** Of `raw`: what its Link header says. */
  readonly links?: string;
}

export async function sendCapture(
  request: FastifyRequest,
  reply: FastifyReply,
  capture: ResolvedCapture,
  { dialect, collection, resolver, pageReader, links = '' }: SendingOptions,
): Promise<FastifyReply> {
  const { fact, payload } = capture;
  const headers = sendableHeaders(capture.headers);
  if (!isEncodedAsSaid(capture)) headers.delete('content-encoding');
  for (const [name, values] of headers) reply.header(name, values.length === 1 ? values[0] : values);
  reply.header('memento-datetime', new Date(fact.at).toUTCString());

  let status = capture.status;
  // A 206 that holds the whole body is a 200 to whoever asks for all of it, and can be cut at will.
  if (status === 206 && isWhole(header(capture.headers, 'content-range'), payload.size)) status = 200;

  const target = redirectTarget(capture);
  if (dialect === 'raw') sendRawHead(reply, capture, { collection, links, target });
  else status = sendWabacHead(reply, capture, status, target);

  if (dialect !== 'raw' && request.headers[AS_DOCUMENT] !== undefined && isHtml(capture)) {
    const html = await pageReader.readSource({ url: fact.url, response: storedAnswer(capture) });
    if (html !== undefined) {
      await payload.release();
      reply.code(sendableStatus(status)).removeHeader('content-encoding');
      const drawn = dialect === 'still' ? await capturedView(resolver, capture, html) : undefined;
      const prepared = drawn ?? (await replayedHtml(html, { scripts: dialect === 'wabac' }));
      return reply.type('text/html; charset=utf-8').send(prepared);
    }
  }

  // A range of coded bytes is of no use to a browser that decodes them.
  const divisible = status === 200 && !headers.has('content-encoding');
  const range = divisible ? parseRange(request.headers.range, payload.size) : 'whole';
  if (divisible) reply.header('accept-ranges', 'bytes');
  reply.raw.once('close', () => void payload.release());
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${payload.size}`).send('');
  }
  if (range !== 'whole') {
    const { first, last } = range;
    reply.code(206).header('content-range', `bytes ${first}-${last}/${payload.size}`);
    reply.header('content-length', last - first + 1);
    return reply.send(Readable.from(rangeOf(payload, range)));
  }
  reply.code(sendableStatus(status));
  if (status === 204 || status === 304) return reply.send();
  if (payload.bytes)
    return reply.send(Buffer.from(payload.bytes.buffer, payload.bytes.byteOffset, payload.size));
  return reply.header('content-length', payload.size).send(Readable.from(payload.chunks()));
}

/** Not XHTML, which browsers read by other rules. */
const isHtml = ({ headers }: ResolvedCapture): boolean => mediaType(headers) === 'text/html';

function sendRawHead(
  reply: FastifyReply,
  { fact, status }: ResolvedCapture,
  { collection, links, target }: { collection: string; links: string; target: string | undefined },
): void {
  const address = (at: number, url: string): string => `/${collection}/${formatTimestamp(at)}id_/${url}`;
  reply.header('content-location', address(fact.at, asciiUrl(fact.url)));
  if (links !== '') reply.header('link', links);
  // Into the archive, never to the live web.
  if (target !== undefined) reply.header('location', address(fact.at, target));
  if (status < 200 || status > 599) reply.header('x-archive-orig-status', String(status));
}

function sendWabacHead(
  reply: FastifyReply,
  capture: ResolvedCapture,
  status: number,
  target: string | undefined,
): number {
  const cookies = visibleCookies(capture.headers);
  if (cookies.length > 0) reply.header('x-proxy-set-cookie', cookies.join(','));
  if (target !== undefined) reply.header('x-orig-location', target);
  if (status === 200 || status === 206) return status;
  reply.header('x-redirect-status', String(sendableStatus(status)));
  reply.header('x-redirect-statustext', STATUS_CODES[status] ?? 'Unknown');
  return 200;
}

/** A browser takes 200 to 599 only, while the web has answered 999 and worse. */
function sendableStatus(status: number): number {
  return status >= 200 && status <= 599 ? status : 500;
}

/** Some tools store the decoded body under the head of the coded one: gzip can be told by its first bytes. */
function isEncodedAsSaid({ headers, payload }: ResolvedCapture): boolean {
  const coding = header(headers, 'content-encoding')?.trim().toLowerCase();
  if (coding === undefined) return true;
  if (coding === 'identity' || coding === '' || payload.size === 0) return false;
  if ((coding !== 'gzip' && coding !== 'x-gzip') || !payload.bytes) return true;
  return payload.bytes[0] === 0x1f && payload.bytes[1] === 0x8b;
}

function isWhole(contentRange: string | undefined, size: number): boolean {
  const match = /^bytes\s+0-(\d+)\/(\d+|\*)$/i.exec(contentRange?.trim() ?? '');
  return match !== null && Number(match[1]) === size - 1 && (match[2] === '*' || Number(match[2]) === size);
}
