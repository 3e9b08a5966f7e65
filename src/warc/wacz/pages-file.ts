import type { Millis } from '../../model/exchange.ts';
import { parseTimestamp14 } from '../cdxj.ts';

/** One capture of a page, as `pages/pages.jsonl` lists it. */
export interface WaczPage {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly at: Millis;
  readonly seed?: boolean;
  /** Links away from the seed. */
  readonly depth?: number;
  readonly status?: number;
  readonly mime?: string;
  /** Bytes that the page and its resources took. */
  readonly size?: number;
  /** Visible text, for the viewer's search. */
  readonly text?: string;
}

export interface PagesHeader {
  readonly id: string;
  readonly title: string;
  readonly hasText: boolean;
}

export const PAGES_FORMAT = 'json-pages-1.0';

export function pagesHeaderLine(header: PagesHeader): string {
  return JSON.stringify({
    format: PAGES_FORMAT,
    id: header.id,
    title: header.title,
    ...(header.hasText ? { hasText: true } : {}),
  });
}

export function pageLine(page: WaczPage, withText: boolean): string {
  return JSON.stringify({
    id: page.id,
    url: page.url,
    title: page.title,
    ts: new Date(page.at).toISOString(),
    mime: page.mime,
    status: page.status,
    seed: page.seed,
    depth: page.depth,
    size: page.size,
    text: withText ? page.text : undefined,
  });
}

/** A string says what is wrong with the first line of a pages file. */
export function headerFault(line: string | undefined): string | undefined {
  if (line === undefined || line === '') return 'is empty: its first line must be the header';
  const header = jsonObject(line);
  if (header === undefined) return 'line 1 is not a JSON object';
  if (header.format !== PAGES_FORMAT) {
    return `line 1 is not the header: "format" must be "${PAGES_FORMAT}", found ${JSON.stringify(header.format)}`;
  }
  return typeof header.id === 'string' ? undefined : 'the header on line 1 has no "id"';
}

/** A page, or what is wrong with the line. */
export function parsePageLine(line: string): WaczPage | string {
  const json = jsonObject(line);
  if (json === undefined) return 'is not a JSON object';
  if (typeof json.url !== 'string' || json.url === '') return 'has no "url"';
  const at = pageTime(json.ts);
  if (Number.isNaN(at)) return `has no readable "ts" (${json.url})`;
  return {
    id: typeof json.id === 'string' ? json.id : '',
    url: json.url,
    title: typeof json.title === 'string' ? json.title : '',
    at,
    ...(typeof json.seed === 'boolean' ? { seed: json.seed } : {}),
    ...(typeof json.depth === 'number' ? { depth: json.depth } : {}),
    ...(typeof json.status === 'number' ? { status: json.status } : {}),
    ...(typeof json.mime === 'string' ? { mime: json.mime } : {}),
    ...(typeof json.size === 'number' ? { size: json.size } : {}),
    ...(typeof json.text === 'string' ? { text: json.text } : {}),
  };
}

/** ISO 8601 by the standard; early tools wrote 14 digits or milliseconds. */
function pageTime(ts: unknown): Millis {
  if (typeof ts === 'number') return ts;
  if (typeof ts !== 'string') return Number.NaN;
  return /^\d{14}$/.test(ts) ? parseTimestamp14(ts) : Date.parse(ts);
}

export function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
