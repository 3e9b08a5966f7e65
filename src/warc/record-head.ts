import type { HeaderList } from '../model/exchange.ts';
import { headerLines } from '../model/http-message.ts';
import type { Millis } from '../model/time.ts';

/** The header of one WARC record: version line and named fields, UTF-8, ended by an empty line. */

export const RECORD_END = Buffer.from('\r\n\r\n');

export type FieldList = readonly (readonly [name: string, value: string | undefined])[];

/** Fields without a value are left out. */
export function recordHead(fields: FieldList): Buffer {
  let text = 'WARC/1.1\r\n';
  for (const [name, value] of fields) {
    if (value !== undefined) text += `${name}: ${safeValue(value)}\r\n`;
  }
  return Buffer.from(`${text}\r\n`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not pass.
const CONTROLS = /[\u0000-\u001f\u007f]+/g;

/** A line end inside a value would start a field, or a record, of its own. */
function safeValue(value: string): string {
  return value.replace(CONTROLS, ' ');
}

/** Spaces and control characters percent-encoded: a target URI is one word on one line. */
export function safeUri(uri: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
  return uri.replace(/[\u0000-\u0020\u007f]/g, (char) => encodeURIComponent(char));
}

export function warcDate(at: Millis): string {
  return new Date(at).toISOString();
}

export interface ParsedHead {
  /** `WARC/1.0`, `WARC/1.1`. */
  readonly version: string;
  readonly fields: HeaderList;
  /** Bytes, including the empty line. */
  readonly length: number;
}

/** Headers longer than this are treated as damage. */
export const MAX_HEAD = 1 << 20;

/**
 * The header at the start of `bytes`. 'incomplete' if it does not end within them, undefined if they do not
 * start with one.
 */
export function parseRecordHead(bytes: Buffer): ParsedHead | 'incomplete' | undefined {
  if (bytes.length < 5) return 'WARC/'.startsWith(bytes.toString('latin1')) ? 'incomplete' : undefined;
  if (bytes.toString('latin1', 0, 5) !== 'WARC/') return undefined;
  let end = bytes.indexOf('\r\n\r\n');
  let endLength = 4;
  // Some old tools end lines with LF alone.
  const bare = bytes.subarray(0, end < 0 ? undefined : end).indexOf('\n\n');
  if (bare >= 0) {
    end = bare;
    endLength = 2;
  }
  if (end < 0) return 'incomplete';
  const [version = '', ...lines] = bytes.toString('utf8', 0, end).split(/\r?\n/);
  return { version: version.trim(), fields: headerLines(lines), length: end + endLength };
}
