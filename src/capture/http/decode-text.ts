import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';

export interface DecodedText {
  readonly text: string;
  /** Canonical name in lower case, as in the Encoding standard. */
  readonly encoding: string;
}

/** The HTML standard's prescan looks no further. */
const PRESCAN_BYTES = 1024;

/**
 * HTML bytes → text, in the order browsers check: byte order mark, charset of the Content-Type, meta element
 * in the first 1024 bytes, then UTF-8 if the bytes are valid UTF-8, else windows-1252. Invalid bytes become
 * U+FFFD; nothing throws.
 */
export function decodeText(bytes: Uint8Array, contentType = ''): DecodedText {
  const decoder =
    decoderOf(byteOrderMark(bytes)) ??
    decoderOf(charsetOf(contentType)) ??
    decoderOf(prescan(bytes)) ??
    new TextDecoder(looksLikeUtf8(bytes) ? 'utf-8' : 'windows-1252');
  const { encoding } = decoder;
  return { text: encoding === 'windows-1252' ? windows1252(bytes) : decoder.decode(bytes), encoding };
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return undefined;
}

/** `text/html; charset="utf-8"` → `utf-8`. */
export function charsetOf(contentType: string): string | undefined {
  return /charset\s*=\s*["']?\s*([^\s"';,]+)/i.exec(contentType)?.[1];
}

/** Undefined for labels that no browser knows. */
function decoderOf(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

function prescan(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, PRESCAN_BYTES));
  const text = start.toString('latin1').replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const declared = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/i.exec(text.trimStart())?.[1];
  for (const [, attributes = ''] of text.matchAll(/<meta[\s/]([^>]*)>?/gi)) {
    const charset = /(?:^|[\s"'/])charset\s*=\s*["']?\s*([^\s"'/>]+)/i.exec(attributes)?.[1];
    const isContentType = /http-equiv\s*=\s*["']?\s*content-type/i.test(attributes);
    const label = charset ?? (isContentType ? charsetOf(attributes) : undefined);
    if (label !== undefined) return asciiCompatible(label);
  }
  return declared === undefined ? undefined : asciiCompatible(declared);
}

/** A meta element that could be read byte by byte is not in UTF-16, whatever it claims (HTML §13.2.3.2). */
function asciiCompatible(label: string): string {
  if (/^(?:utf-?16|ucs-?2|iso-10646-ucs-2|unicode)/i.test(label)) return 'utf-8';
  return /^x-user-defined$/i.test(label) ? 'windows-1252' : label;
}

/** Valid UTF-8, except for a last character that a limit may have cut. */
function looksLikeUtf8(bytes: Uint8Array): boolean {
  let end = bytes.length;
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > back) end = bytes.length - back;
    break;
  }
  const whole = bytes.subarray(0, end);
  // One odd byte after nothing but ASCII is more likely a windows-1252 letter than a cut character.
  return isUtf8(whole) && (end === bytes.length || !isAscii(whole));
}

/** 0x80-0x9F of windows-1252; the five unassigned ones stay controls. */
const C1 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Hand-written, because TextDecoder in Node 20 and 22 reads windows-1252 as if it were latin1. */
function windows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return text.replace(/[\x80-\x9f]/g, (c) => C1.charAt(c.charCodeAt(0) - 0x80));
}
