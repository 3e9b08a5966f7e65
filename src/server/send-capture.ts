import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asciiUrl } from '../access/memento/memento-links.ts';
import { formatTimestamp } from '../access/replay-url.ts';
import { type ResolvedCapture, redirectTarget } from '../access/resolve-capture.ts';
import { storedAnswer } from '../access/stored-answers.ts';
import { mediaType } from '../model/exchange.ts';
import type { Millis } from '../model/time.ts';
import type { SourceReader } from '../ports/page-reader.ts';
import { parseRange, rangeOf } from './byte-range.ts';
import { captureHead, sendableStatus, workerHead } from './capture-head.ts';
import { capturedView } from './captured-view.ts';
import { sendWithParts } from './page-with-parts.ts';
import { replayedHtml } from './replayed-html.ts';
import type { ServedArchive } from './served-archive.ts';

/** Set by the worker on requests for documents: what a script fetches stays as it was stored. */
export const AS_DOCUMENT = 'x-replay-document';
/** Its value where the document is a frame inside the page. */
export const AS_FRAME = 'frame';
/** Set by a worker that takes the parts of a page behind its document. */
const WITH_PARTS = 'x-replay-parts';

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
  readonly archive: Pick<ServedArchive, 'catalog' | 'reader' | 'resolver'>;
  readonly pageReader: SourceReader;
  /** Of `raw`: what its Link header says. */
  readonly links?: string;
  /** Of the others: the moment that the parts of a document are those of. */
  readonly at?: Millis;
}

export async function sendCapture(
  request: FastifyRequest,
  reply: FastifyReply,
  capture: ResolvedCapture,
  { dialect, collection, archive, pageReader, links = '', at }: SendingOptions,
): Promise<FastifyReply> {
  const { fact, payload } = capture;
  const { status, headers } = dialect === 'raw' ? captureHead(capture, 'renamed') : workerHead(capture);
  for (const [name, values] of headers) reply.header(name, values.length === 1 ? values[0] : values);
  if (dialect === 'raw') sendRawHead(reply, capture, { collection, links });

  if (dialect !== 'raw' && request.headers[AS_DOCUMENT] !== undefined && isHtml(capture)) {
    const html = await pageReader.readSource({ url: fact.url, response: storedAnswer(capture) });
    if (html !== undefined) {
      await payload.release();
      reply.code(status).removeHeader('content-encoding').type('text/html; charset=utf-8');
      const drawn = dialect === 'still' ? await capturedView(archive.resolver, capture, html) : undefined;
      const prepared = drawn ?? (await replayedHtml(html, { scripts: dialect === 'wabac' }));
      // A capture that stands in for another has other parts than the page will be asked for.
      const hasParts = capture.status === 200 && fact.at === at && drawn === undefined;
      if (!hasParts || request.headers[WITH_PARTS] === undefined) return reply.send(prepared);
      return sendWithParts(reply, { html: prepared, fact, dialect }, { ...archive, pageReader });
    }
  }

  // A range is one of the representation that is sent, which is the coded one (RFC 9110, 14.2); a worker that decodes has no use for it.
  const divisible = status === 200 && (dialect === 'raw' || !headers.has('content-encoding'));
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
  capture: ResolvedCapture,
  { collection, links }: { collection: string; links: string },
): void {
  const { fact, status } = capture;
  const address = (at: number, url: string): string => `/${collection}/${formatTimestamp(at)}id_/${url}`;
  reply.header('content-location', address(fact.at, asciiUrl(fact.url)));
  if (links !== '') reply.header('link', links);
  // Into the archive, never to the live web.
  const target = redirectTarget(capture);
  if (target !== undefined) reply.header('location', address(fact.at, target));
  if (status < 200 || status > 599) reply.header('x-archive-orig-status', String(status));
}
