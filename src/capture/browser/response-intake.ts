/**
 * Takes the body of a paused response, then lets the page have it.
 *
 * A small body of known length: `Fetch.getResponseBody`, then continue: two messages. A large or unknown length: as a
 * stream, because a response may have no end, and what arrived before the time limit is kept. Chromium can no longer
 * continue a streamed response, so the page is given it by `fulfillRequest`; one too large for a message is withheld
 * from the page, which is a fact.
 */

import { type Body, memoryBody } from '../../model/body.ts';
import { type HeaderList, header, mediaType, type Truncation } from '../../model/exchange.ts';
import { BodySpool, MEMORY_LIMIT } from '../http/body-spool.ts';
import type { CdpEvent, CdpSession } from './cdp-connection.ts';
import { isContentDecoded } from './message-heads.ts';

type Paused = CdpEvent<'Fetch.requestPaused'>;

/** Compressed bytes of a body taken in one message: decoded, it may be a hundred times as long. */
const COMPRESSED_LIMIT = 256 * 1024;
/** Bytes handed to the page in one message. */
const PAGE_LIMIT = 32 * 1024 * 1024;
/** Bytes per read, growing: a read is answered only when full, so a large one would lose the start of a slow drip. */
const READ_SIZE = { first: 1024, largest: 1024 * 1024 } as const;

export interface Intake {
  readonly body: Body;
  readonly truncated: Truncation | undefined;
  /** Why the page did not get it. */
  readonly withheld?: string;
  /** No length shows whether it is complete, but the page will be told. */
  readonly pageEndTells?: boolean;
}

export interface IntakeLimits {
  readonly sizeLimit: number;
  readonly spoolDir: string;
  /** Fires when the page's time is up: streams end with what has arrived. */
  readonly signal: AbortSignal;
}

/** A stream that the server never means to end. */
export function isEndless(headers: HeaderList): boolean {
  const type = mediaType(headers);
  return type === 'text/event-stream' || type === 'multipart/x-mixed-replace';
}

function isSmall(headers: HeaderList, sizeLimit: number): boolean {
  const length = Number(header(headers, 'content-length') ?? Number.NaN);
  const limit = Math.min(isContentDecoded(headers) ? COMPRESSED_LIMIT : MEMORY_LIMIT, sizeLimit);
  return length <= limit;
}

/**
 * Whether less arrived than the server announced. Chromium hands out what it has without an error; a body whose coding
 * it has undone cannot be measured this way.
 */
function isShort({ request, responseStatusCode }: Paused, headers: HeaderList, size: number): boolean {
  const length = Number(header(headers, 'content-length') ?? Number.NaN);
  const bodiless = request.method === 'HEAD' || responseStatusCode === 204 || responseStatusCode === 304;
  return size < length && !bodiless && !isContentDecoded(headers);
}

export async function takeResponse(
  session: CdpSession,
  paused: Paused,
  headers: HeaderList,
  limits: IntakeLimits,
): Promise<Intake> {
  const { requestId } = paused;
  if (isSmall(headers, limits.sizeLimit)) {
    const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId });
    // The page need not wait for us to decode it.
    session.send('Fetch.continueRequest', { requestId }).catch(() => {});
    const bytes = Buffer.from(body, base64Encoded ? 'base64' : 'utf8');
    if (bytes.length <= limits.sizeLimit)
      return {
        body: memoryBody(bytes),
        truncated: isShort(paused, headers, bytes.length) ? 'disconnect' : undefined,
        pageEndTells: isContentDecoded(headers),
      };
    return { body: memoryBody(bytes.subarray(0, limits.sizeLimit)), truncated: 'length' };
  }
  const { stream } = await session.send('Fetch.takeResponseBodyAsStream', { requestId });
  let caughtUp = () => {};
  const spool = new BodySpool(limits.spoolDir, { onDrain: () => caughtUp(), onError: () => caughtUp() });
  const forPage: Uint8Array[] = [];
  const end = await readStream(session, stream, limits, async (bytes) => {
    if (spool.size + bytes.length <= PAGE_LIMIT) forPage.push(bytes);
    const drained = new Promise<void>((resolve) => {
      caughtUp = resolve;
    });
    if (!spool.write(bytes) && spool.size > MEMORY_LIMIT) await drained;
  });
  const body = await spool.finish();
  const truncated = end ?? (isShort(paused, headers, body.size) ? 'disconnect' : undefined);
  session.send('IO.close', { handle: stream }).catch(() => {});
  const why = whyWithheld(body.size, truncated);
  if (why === undefined) await giveToPage(session, paused, headers, forPage);
  else session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(() => {});
  return { body, truncated, ...(why ? { withheld: why } : {}) };
}

async function readStream(
  session: CdpSession,
  handle: string,
  limits: IntakeLimits,
  add: (bytes: Uint8Array) => Promise<void>,
): Promise<Truncation | undefined> {
  let left = limits.sizeLimit;
  let size: number = READ_SIZE.first;
  const over = new Promise<'over'>((resolve) => {
    if (limits.signal.aborted) resolve('over');
    else limits.signal.addEventListener('abort', () => resolve('over'), { once: true });
  });
  for (;;) {
    let part: 'over' | { data: string; base64Encoded?: boolean; eof: boolean };
    try {
      const reading = session.send('IO.read', { handle, size });
      size = Math.min(size * 4, READ_SIZE.largest);
      reading.catch(() => {});
      part = await Promise.race([reading, over]);
    } catch {
      // The server broke off, or the tab went away: what arrived is kept.
      return limits.signal.aborted ? 'time' : 'disconnect';
    }
    if (part === 'over') return 'time';
    const bytes = Buffer.from(part.data, part.base64Encoded ? 'base64' : 'utf8');
    if (bytes.length > left) {
      await add(bytes.subarray(0, left));
      return 'length';
    }
    left -= bytes.length;
    if (bytes.length > 0) await add(bytes);
    if (part.eof) return undefined;
  }
}

/** Why an answer is withheld from the page; '' where the answer itself is at fault, undefined if it is given. */
function whyWithheld(size: number, truncated: Truncation | undefined): string | undefined {
  if (truncated !== undefined) return truncated === 'length' ? 'longer than the size limit' : '';
  return size > PAGE_LIMIT ? `longer than ${PAGE_LIMIT} bytes` : undefined;
}

async function giveToPage(
  session: CdpSession,
  { requestId, responseStatusCode, responseStatusText }: Paused,
  headers: HeaderList,
  bytes: readonly Uint8Array[],
): Promise<void> {
  const undone = isContentDecoded(headers) ? 'content-encoding' : '';
  const leftOut = new Set(['transfer-encoding', 'content-length', undone]);
  await session
    .send('Fetch.fulfillRequest', {
      requestId,
      responseCode: responseStatusCode ?? 200,
      ...(responseStatusText ? { responsePhrase: responseStatusText } : {}),
      responseHeaders: headers
        .filter(([name]) => !leftOut.has(name.toLowerCase()))
        .map(([name, value]) => ({ name, value })),
      body: Buffer.concat(bytes).toString('base64'),
    })
    .catch(() => {});
}
