import type { HeaderList } from '../../model/exchange.ts';
import { CaptureFault } from '../../model/fault.ts';
import type { FetchRequest } from '../../ports/fetcher.ts';

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
/** What readers can undo on every supported Node: that excludes zstd before 22.15. */
const ACCEPT_ENCODING = 'gzip, deflate, br';

export interface RequestHead {
  readonly headers: HeaderList;
  readonly bytes: Buffer;
}

/** http or https URL, or an `unsupported-url` fault. */
export function httpUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new CaptureFault('unsupported-url', text, 'not a URL', { cause });
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new CaptureFault('unsupported-url', text, `scheme ${url.protocol} is neither http nor https`);
}

/** Credentials in the URL are not sent: they would be in the archive for all to read. */
export function requestHead(url: URL, request: FetchRequest): RequestHead {
  const given = Object.entries(request.headers ?? {});
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const headers: [string, string][] = [['Host', url.host]];
  const add = (name: string, value: string): void => {
    if (!names.has(name.toLowerCase())) headers.push([name, value]);
  };
  add('User-Agent', request.userAgent);
  add('Accept', ACCEPT);
  add('Accept-Encoding', ACCEPT_ENCODING);
  for (const [name, value] of given) if (name.toLowerCase() !== 'host') headers.push([name, value]);
  add('Connection', 'keep-alive');

  let text = `GET ${url.pathname}${url.search} HTTP/1.1\r\n`;
  for (const pair of headers) {
    pair[1] = sendable(pair[0], pair[1], request.url);
    text += `${pair[0]}: ${pair[1]}\r\n`;
  }
  return { headers, bytes: Buffer.from(`${text}\r\n`, 'latin1') };
}

/** Rejects what would end the line early; text beyond latin1 is sent as UTF-8, read back as latin1. */
function sendable(name: string, value: string, url: string): string {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[\0\r\n]/.test(value))
    // Its value may be a secret.
    throw new CaptureFault('internal', url, `header field ${JSON.stringify(name)} cannot be sent`);
  return /^[\0-\xff]*$/.test(value) ? value : Buffer.from(value, 'utf8').toString('latin1');
}
