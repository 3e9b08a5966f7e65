import type { CaptureFact } from './capture.ts';
import { surt } from './surt.ts';
import type { Millis } from './time.ts';

/** One capture as a line of CDXJ: `<surt> <14 digits> <json>`. See warc/cdxj.ts for whole files. */

/** `Date.UTC(2026, 0, 2, 3, 4, 5)` => `20260102030405`. */
export function timestamp14(at: Millis): string {
  return new Date(at).toISOString().replace(/[-:T]/g, '').slice(0, 14);
}

/** The key of a capture; non-GET requests get `__wb_method` and their body as further query arguments. */
export function cdxjKey(url: string, method = 'GET', requestBody = ''): string {
  const isPlain = method === 'GET' || method === '';
  const full = isPlain
    ? url
    : `${url}${url.includes('?') ? '&' : '?'}__wb_method=${method}&${readable(requestBody)}`;
  return ascii(surt(full)).replace(/\s/g, '%20');
}

/** warcio and wabac.js decode the body's query once before putting it into the key. */
function readable(query: string): string {
  try {
    return decodeURI(query);
  } catch {
    return '';
  }
}

function ascii(text: string): string {
  return text.replace(/[\u0080-\uffff]+/g, (run) => {
    try {
      return encodeURIComponent(run).toLowerCase();
    } catch {
      return '%ef%bf%bd';
    }
  });
}

export function cdxjLine(fact: CaptureFact): string {
  const json = asciiJson(cdxjFields(fact));
  return `${cdxjKey(fact.url, fact.method, fact.requestBody)} ${timestamp14(fact.at)} ${json}`;
}

/** The JSON members of a line, in order. */
export function cdxjFields(fact: CaptureFact): Record<string, string> {
  const isGet = fact.method === 'GET' || fact.method === '';
  const { sha256, sha1 } = fact.digest;
  return {
    url: fact.url,
    mime: fact.type === 'revisit' ? 'warc/revisit' : fact.mime,
    status: String(fact.status),
    digest: sha256 !== '' ? `sha256:${sha256}` : sha1 !== '' ? `sha1:${sha1}` : '',
    length: String(fact.length),
    offset: String(fact.offset),
    filename: fact.file,
    ...(isGet ? {} : { method: fact.method }),
    ...(isGet || !fact.requestBody ? {} : { requestBody: fact.requestBody }),
  };
}

/** JSON in pure ASCII. */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
