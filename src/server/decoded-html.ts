import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { ResolvedCapture } from '../access/resolve-capture.ts';
import { header } from '../model/exchange.ts';

/** wabac rewrites no larger ones; they are shown without scripts. */
const MOST_BYTES = 50 * 1024 * 1024;
const HTML = /^\s*text\/html\s*(?:;|$)/iu;
/** Where the encoding is looked for in the document itself; HTML standard, "prescan a byte stream". */
const PRESCANNED_BYTES = 1024;

export const isHtml = (capture: ResolvedCapture): boolean =>
  HTML.test(header(capture.headers, 'content-type') ?? '');

/** The text of an archived HTML document; undefined where it is too large or its coding cannot be undone. */
export async function decodedHtml(capture: ResolvedCapture): Promise<string | undefined> {
  const { payload, headers } = capture;
  if (payload.size > MOST_BYTES) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of payload.chunks()) pieces.push(piece);
  const coding = header(headers, 'content-encoding')?.trim().toLowerCase();
  const bytes = uncoded(Buffer.concat(pieces), coding);
  if (!bytes || bytes.length > MOST_BYTES) return undefined;
  const declared = /charset\s*=\s*["']?([^\s"';]+)/iu.exec(header(headers, 'content-type') ?? '')?.[1];
  return decoderFor(bytes, declared).decode(bytes);
}

function uncoded(bytes: Buffer, coding: string | undefined): Buffer | undefined {
  const limit = { maxOutputLength: MOST_BYTES };
  try {
    switch (coding) {
      case undefined:
      case '':
      case 'identity':
        return bytes;
      case 'gzip':
      case 'x-gzip':
        // Some tools store the decoded body under the head of the coded one.
        return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, limit) : bytes;
      case 'br':
        return brotliDecompressSync(bytes, limit);
      case 'deflate':
        return (((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync : inflateRawSync)(bytes, limit);
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}

/** As a browser chooses: byte order mark, header, document. Then windows-1252, or UTF-8 where the bytes are that. */
function decoderFor(bytes: Buffer, declared: string | undefined): TextDecoder {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder('utf-8');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be');
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le');
  const head = bytes.subarray(0, PRESCANNED_BYTES).toString('latin1');
  const inside = /<meta[^>]*charset\s*=\s*["']?([^\s"'/>;]+)/iu.exec(head)?.[1];
  for (const name of [declared, inside && /^utf-?16/iu.test(inside) ? 'utf-8' : inside]) {
    const decoder = name === undefined ? undefined : knownDecoder(name);
    if (decoder) return decoder;
  }
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

function knownDecoder(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name);
  } catch {
    return undefined;
  }
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
