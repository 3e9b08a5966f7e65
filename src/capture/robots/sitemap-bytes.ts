/** From the bytes of a sitemap to its text, in pieces, within limits. */
import { constants, gunzipSync } from 'node:zlib';

/** The protocol's limit, uncompressed: 50 MB. */
export const SITEMAP_BYTES = 52_428_800;
/** A gzip that expands beyond this is not unpacked at all: a bomb, or nothing meant to be read. */
const UNPACK_LIMIT = 4 * SITEMAP_BYTES;
/** Keeps the strings, and the time between two checks of the limits, small. */
const PIECE = 65_536;

export function* decodeSitemap(bytes: Uint8Array, facts: string[]): Generator<string> {
  let content = bytes;
  // Some servers compress what is already compressed: twice occurs, more does not.
  for (let pass = 0; pass < 2 && content[0] === 0x1f && content[1] === 0x8b; pass++) {
    const unpacked = unpack(content, facts);
    if (!unpacked) return;
    content = unpacked;
  }
  if (content.byteLength > SITEMAP_BYTES) {
    facts.push(`${content.byteLength} bytes: more than 50 MB, the rest was not read`);
    content = content.subarray(0, SITEMAP_BYTES);
  }
  const decoder = new TextDecoder(encodingOf(content));
  for (let at = 0; at < content.byteLength; at += PIECE) {
    const text = decoder.decode(content.subarray(at, at + PIECE), { stream: true });
    if (text !== '') yield text;
  }
}

function unpack(bytes: Uint8Array, facts: string[]): Uint8Array | undefined {
  try {
    // SYNC_FLUSH: a truncated gzip yields what it has, without an error.
    return gunzipSync(bytes, { maxOutputLength: UNPACK_LIMIT, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    facts.push(`gzip could not be unpacked: ${why}`);
    return undefined;
  }
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const label = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w-]+)["']/i.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return 'utf-8';
  }
}
