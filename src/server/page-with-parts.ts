import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { type LoadedPart, partsOfPage } from '../access/parts-of-page.ts';
import type { ResolvedCapture } from '../access/resolve-capture.ts';
import { storedAnswer } from '../access/stored-answers.ts';
import type { CaptureFact } from '../model/capture.ts';
import type { Millis } from '../model/time.ts';
import type { SourceReader } from '../ports/page-reader.ts';
import type { ListedParts, PartHead } from './api-types.ts';
import { workerHead } from './capture-head.ts';
import type { ServedArchive } from './served-archive.ts';

/**
 * A document and, behind it in the same answer, what the page loaded when it was captured: a part that is asked for by itself takes a turn
 * of four processes. Behind the bytes of the document comes a line of JSON, `ListedParts`; then for each part a line, `PartHead`, and its
 * bytes. The service worker holds them until the page asks for them (web/replay/page-parts.ts).
 */

/** Bytes of the document; behind them come the parts. */
const DOCUMENT_SIZE = 'x-archive-document-size';

/** Parts past this are asked for by themselves: they would hold up the others. */
const LARGEST_PART = 256 * 1024;
/** Bytes and parts of one page: the worker holds them in memory. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_PARTS = 200;
/** Bytes that are sent together. */
const PIECE = 32 * 1024;
/** Parts that are read ahead of the one that is sent. */
const AHEAD = 6;

/** What the page cannot go on without. */
const FIRST = new Set(['stylesheet', 'script', 'font']);
/** Documents are prepared as such, and films are asked for in ranges. */
const NOT_SENT = new Set(['document', 'media', 'websocket', 'ping', 'preflight']);

export interface PreparedDocument {
  readonly html: string;
  readonly fact: CaptureFact;
  readonly dialect: 'wabac' | 'still';
}

export type PartSource = Pick<ServedArchive, 'catalog' | 'reader' | 'resolver'> & {
  readonly pageReader: SourceReader;
};

export function sendWithParts(reply: FastifyReply, page: PreparedDocument, source: PartSource): FastifyReply {
  const document = Buffer.from(page.html);
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    yield document;
    yield* inPieces(partsOf(page, source));
  };
  return reply.header(DOCUMENT_SIZE, document.length).send(Readable.from(pieces()));
}

/** Small parts together: each piece takes the network, the browser and the worker a turn. */
async function* inPieces(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let size = 0;
  for await (const part of parts) {
    gathered.push(part);
    size += part.length;
    if (size < PIECE) continue;
    yield Buffer.concat(gathered);
    [gathered, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(gathered);
}

async function* partsOf({ fact, dialect }: PreparedDocument, source: PartSource): AsyncGenerator<Buffer> {
  const loaded = (await partsOfPage(source, fact)) ?? [];
  const listed = inOrder(loaded, dialect);
  yield line({ parts: listed.map(({ url }) => url) } satisfies ListedParts);
  const ahead: Promise<SentPart>[] = [];
  let left = MOST_BYTES;
  for (let next = 0; next < listed.length || ahead.length > 0; ) {
    while (left > 0 && ahead.length < AHEAD && next < listed.length) {
      ahead.push(readPart(listed[next++]?.url ?? '', fact.at, source));
    }
    const part = await ahead.shift();
    // All that is left is asked for by itself.
    if (!part || left < part.bytes.byteLength) return;
    left -= part.bytes.byteLength;
    yield line(part.head);
    yield Buffer.from(part.bytes.buffer, part.bytes.byteOffset, part.bytes.byteLength);
  }
}

const line = (content: ListedParts | PartHead): Buffer => Buffer.from(`${JSON.stringify(content)}\n`);

function inOrder(loaded: readonly LoadedPart[], dialect: PreparedDocument['dialect']): readonly LoadedPart[] {
  const wanted = loaded.filter(
    ({ type }) => !NOT_SENT.has(type) && !(dialect === 'still' && type === 'script'),
  );
  const isFirst = ({ type }: LoadedPart): boolean => FIRST.has(type);
  return [...wanted.filter(isFirst), ...wanted.filter((part) => !isFirst(part))].slice(0, MOST_PARTS);
}

interface SentPart {
  readonly head: PartHead;
  readonly bytes: Uint8Array;
}

/** The version that a request of the page itself would be answered with. */
async function readPart(url: string, at: Millis, { resolver, pageReader }: PartSource): Promise<SentPart> {
  const asked: SentPart = { head: { url }, bytes: new Uint8Array() };
  // What goes wrong is told to the request of the part itself.
  const found = await resolver.resolve(url, at).catch(() => undefined);
  if (found?.kind !== 'found') return asked;
  const { capture } = found;
  const bytes = await plainBytes(capture, pageReader);
  await capture.payload.release();
  const { status, headers } = workerHead(capture);
  if (!bytes || status !== 200) return asked;
  headers.delete('content-encoding');
  const fields = [...headers].map(([name, values]) => [name, values.join(', ')] as const);
  return { head: { url, size: bytes.byteLength, headers: fields }, bytes };
}

/** As the browser would hand them on; undefined where they are many, or damaged. */
async function plainBytes(
  capture: ResolvedCapture,
  pageReader: SourceReader,
): Promise<Uint8Array | undefined> {
  const { payload, fact } = capture;
  if (payload.size > LARGEST_PART) return undefined;
  const { headers } = workerHead(capture);
  if (!headers.has('content-encoding')) return payload.bytes;
  return pageReader.readBytes({ url: fact.url, response: storedAnswer(capture) }, LARGEST_PART);
}
