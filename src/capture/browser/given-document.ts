/** The main document that was fetched by HTTP already: the browser gets it instead of asking again. */
import type { Exchange } from '../../model/exchange.ts';
import { decodedBytes } from '../http/decode-body.ts';
import type { CdpSession } from './cdp-connection.ts';

/** Framing and coding of the wire: Chromium gets the bytes plain. */
const OF_THE_WIRE = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'trailer',
]);

/** Bytes handed to Chromium in one message. */
const LONGEST = 64 * 1024 * 1024;

export interface GivenDocument {
  answer(session: CdpSession, requestId: string): Promise<void>;
}

/** Decoding is done before the page's clock runs. */
export async function givenDocument(exchange: Exchange, sizeLimit: number): Promise<GivenDocument> {
  const { response } = exchange;
  const { bytes } = await decodedBytes(response, Math.min(sizeLimit, LONGEST));
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  // `name: value` pairs, each closed by a zero byte: keeps fields that are not UTF-8, and every Set-Cookie.
  const fields = response.headers
    .filter(([name]) => !OF_THE_WIRE.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value.replaceAll('\0', '')}`)
    .join('\0');
  return {
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
