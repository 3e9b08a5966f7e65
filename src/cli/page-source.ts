import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { LATEST } from '../access/replay-url.ts';
import type { Millis } from '../model/exchange.ts';
import { UserError } from './exit-codes.ts';
import { parseMoment } from './moment.ts';

/** What `segment` and `diff` can look at. */
export type PageSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'layout'; readonly path: string }
  | { readonly kind: 'live'; readonly url: string }
  | { readonly kind: 'capture'; readonly url: string; readonly at: Millis };

export const PAGE_SOURCES = 'a file (.html, or a layout as .xml), a URL, or a capture as <url>@<time>';

const CAPTURE = /^(https?:\/\/.+)@(last|\d[\w:.+-]*)$/i;

/** A file wins over everything else, so that any name can be given as ./name. */
export function parsePageSource(text: string, now: Millis): PageSource {
  if (existsSync(text)) {
    if (!statSync(text).isFile()) throw new UserError(`'${text}' is no file: give ${PAGE_SOURCES}`);
    accessSync(text, constants.R_OK);
    return { kind: text.endsWith('.xml') ? 'layout' : 'file', path: text };
  }
  const capture = CAPTURE.exec(text);
  if (capture) {
    const [, url = '', time = ''] = capture;
    return { kind: 'capture', url: new URL(url).href, at: captureTime(time, now) };
  }
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return { kind: 'live', url: new URL(text).href };
  throw new UserError(`'${text}' is neither an existing file nor a URL: give ${PAGE_SOURCES}`);
}

function captureTime(text: string, now: Millis): Millis {
  if (text.toLowerCase() === 'last') return LATEST;
  try {
    return parseMoment(text, now, 'start');
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new UserError(`${error.message}, or 'last'`);
    throw error;
  }
}
