/** An answer that is there already: the browser gets it instead of asking the server. */
import type { HeaderList } from '../../model/exchange.ts';
import { REDACTED } from '../../model/private-capture.ts';
import type { KeptAnswer } from '../../ports/page-viewer.ts';
import { decodedBytes } from '../http/decode-body.ts';
import { words } from '../words.ts';
import type { CdpSession } from './cdp-connection.ts';

/** Framing and coding of the wire: Chromium gets the bytes plain. */
const OF_THE_WIRE = words('content-encoding content-length transfer-encoding connection keep-alive trailer');

/** Bytes handed to Chromium in one message. */
const LONGEST = 64 * 1024 * 1024;
/** Not looked at when a body is decoded. */
const NO_HEAD = new Uint8Array(0);

export interface GivenDocument {
  /** What of it is not given: it is longer than can be handed on, or damaged. */
  readonly cut: string | undefined;
  answer(session: CdpSession, requestId: string): Promise<void>;
}

/** Decoding is done before the page's clock runs. */
export async function givenDocument(
  response: KeptAnswer,
  sizeLimit: number,
  further: HeaderList = [],
): Promise<GivenDocument> {
  const document = { ...response, head: NO_HEAD };
  const { bytes, complete } = await decodedBytes(document, Math.min(sizeLimit, LONGEST));
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  // `name: value` pairs, each closed by a zero byte: keeps fields that are not UTF-8, and every Set-Cookie.
  const fields = [...response.headers, ...further]
    // What is redacted the visitor of the tab has already, as far as it was theirs to have.
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
