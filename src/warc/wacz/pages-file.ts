import type { Millis } from '../../model/time.ts';
import { parseTimestamp14 } from '../cdxj.ts';

/** One capture of a page, as listed in `pages/pages.jsonl`. */
export interface WaczPage {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly at: Millis;
  /** Links away from the seed, given in files of other tools. */
  readonly depth?: number;
  readonly status?: number;
  readonly mime?: string;
  /** Bytes of the page and its resources. */
  readonly size?: number;
}

const PAGES_FORMAT = 'json-pages-1.0';
export const PAGES_HEADER = JSON.stringify({ format: PAGES_FORMAT, id: 'pages', title: 'All Pages' });

export function pageLine({ id, url, title, at, mime, status, size }: WaczPage): string {
  return JSON.stringify({ id, url, title, ts: new Date(at).toISOString(), mime, status, size });
}

/** Returns a string if something is wrong with the first line of a pages file. */
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
    ...(typeof json.depth === 'number' ? { depth: json.depth } : {}),
    ...(typeof json.status === 'number' ? { status: json.status } : {}),
    ...(typeof json.mime === 'string' ? { mime: json.mime } : {}),
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
