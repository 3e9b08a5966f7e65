import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { CaptureName } from '../../access/capture-name.ts';
import type { Millis } from '../../model/time.ts';
import { UserError } from '../user-error.ts';
import { CAPTURE_TIMES, splitCaptureName } from './capture-time.ts';
import { type WebAddress, webAddress } from './web-address.ts';

/** What `segment` and `diff` can look at. */
export type PageSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'layout'; readonly path: string }
  | ({ readonly kind: 'live' } & WebAddress)
  | ({ readonly kind: 'capture' } & CaptureName);

export const PAGE_SOURCES =
  'a file (.html, or a layout as .xml), a URL, or a capture as <url>@<time>: @first, @last, @2026-03';

/** A file takes precedence over everything else, so that any file name can be given as ./name. */
export function parsePageSource(text: string, now: Millis): PageSource {
  if (existsSync(text)) {
    if (!statSync(text).isFile()) throw new UserError(`'${text}' is no file: give ${PAGE_SOURCES}`);
    accessSync(text, constants.R_OK);
    return { kind: text.endsWith('.xml') ? 'layout' : 'file', path: text };
  }
  const capture = parseCaptureName(text, now);
  if (capture) return { kind: 'capture', ...capture };
  const address = webAddress(text);
  if (address) return { kind: 'live', ...address };
  throw new UserError(`'${text}' is neither an existing file nor a URL: give ${PAGE_SOURCES}`);
}

/** `<url>@<time>`; undefined where there is no time, or no URL before it. */
export function parseCaptureName(text: string, now: Millis): CaptureName | undefined {
  try {
    const parts = splitCaptureName(text, now);
    const url = parts && webAddress(parts.address)?.url;
    return parts && url !== undefined ? { url, time: parts.time } : undefined;
  } catch (error) {
    if (error instanceof UserError)
      throw new UserError(`${error.message}. After the @ of a capture stands: ${CAPTURE_TIMES}`);
    throw error;
  }
}
