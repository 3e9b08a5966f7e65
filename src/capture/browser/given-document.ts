/** An answer we already have: the browser gets it instead of asking the server. */
import type { HeaderList } from '../../model/exchange.ts';
import { REDACTED } from '../../model/private-capture.ts';
import type { KeptAnswer } from '../../ports/page-viewer.ts';
import { decodedBytes } from '../http/decode-body.ts';
import { words } from '../words.ts';
import type { CdpSession } from './cdp-connection.ts';

/** Transfer framing and coding: Chromium gets the plain bytes. */
const OF_THE_WIRE = words('content-encoding content-length transfer-encoding connection keep-alive trailer');

/** Bytes handed to Chromium in one message. */
const LONGEST = 64 * 1024 * 1024;
/** Ignored when a body is decoded. */
const NO_HEAD = new Uint8Array(0);

export interface GivenDocument {
  /** Why not all of it is given: it is longer than can be handed over, or damaged. */
  readonly cut: string | undefined;
  answer(session: CdpSession, requestId: string): Promise<void>;
}

/** Decoding happens before the page's clock runs. */
export async function givenDocument(
  response: KeptAnswer,
  sizeLimit: number,
  further: HeaderList = [],
): Promise<GivenDocument> {
  const document = { ...response, head: NO_HEAD };
  const { bytes, complete } = await decodedBytes(document, Math.min(sizeLimit, LONGEST));
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  // `name: value` pairs, each ended by a zero byte: preserves fields that are not UTF-8, and every
  // Set-Cookie.
  const fields = [...response.headers, ...further]
    // Redacted values are dropped: the tab's visitor already has those that were theirs to have.
    .filter(([name, value]) => !OF_THE_WIRE.has(name.toLowerCase()) && value !== REDACTED)
    .map(([name, value]) => `${name}: ${value.replaceAll('\0', '')}`)
    .join('\0');
  return {
    cut: complete ? undefined : `only the first ${bytes.byteLength} bytes were given to the browser`,
    async answer(session, requestId) {
      await session.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: response.status,
        ...(fields === '' ? {} : { binaryResponseHeaders: Buffer.from(fields, 'latin1').toString('base64') }),
        body,
      });
    },
  };
}
