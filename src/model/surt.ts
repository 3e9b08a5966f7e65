/**
 * Keys and identities of URLs. Three ways to make two spellings equal, each for its own use:
 *
 * - `surt` is the CDXJ key of the Webrecorder tools (warcio, wabac.js, js-wacz). Our index lines use it.
 * - `iaSurt` is the key of the Internet Archive's `surt` library, which pywb and cdxj-indexer use. It goes
 *   further: session ids and the slash at the end of a path are dropped, escapes are made minimal. Two pages
 *   may share such a key, so it serves to look up and to compare, never as an identity.
 * - `canonicalUrl` is the crawler's identity of a URL: what the WHATWG parser makes of it, without fragment.
 *   It never joins two URLs that a server could tell apart.
 */

const WWW = /^(https?:\/\/)www\d*\./;

/** `https://www.Example.com/b?z&a` => `com,example)/b?a&z`. URNs and other schemes stay as they are. */
export function surt(url: string): string {
  if (!url.startsWith('http:') && !url.startsWith('https:')) return url;
  const lower = url.replace(WWW, '$1').toLowerCase();
  let parsed: URL;
  try {
    parsed = new URL(lower);
  } catch {
    return lower;
  }
  const port = parsed.port ? `:${parsed.port}` : '';
  return `${reverseHost(parsed.hostname)}${port})${parsed.pathname}${sortQuery(parsed.search)}`;
}

function reverseHost(host: string): string {
  return host.split('.').reverse().join(',');
}

function sortQuery(search: string): string {
  return search === '' ? '' : `?${search.slice(1).split('&').sort().join('&')}`;
}

/** The identity of a URL in a crawl; undefined when it is not an http(s) URL. */
export function canonicalUrl(url: string, base?: string): string | undefined {
  let parsed: URL;
  try {
    parsed = new URL(url, base);
  } catch {
    return undefined;
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return undefined;
  parsed.hash = '';
  const { href } = parsed;
  // `hash = ''` drops the '#'; a bare '?' asks for the same resource on every server we know of.
  return href.endsWith('?') ? href.slice(0, -1) : href;
}

/** `http://www.archive.org/goo/?b&a` => `org,archive)/goo?a&b`; after the Internet Archive's `surt` library. */
export function iaSurt(url: string): string {
  if (url === '') return '-';
  if (/^(filedesc|warcinfo|dns|urn|mailto|data|about|blob):/i.test(url)) return url;
  const parts = iaParts(url);
  return `${reverseHost(parts.host)}${parts.port === '' ? '' : `:${parts.port}`})${parts.path}${parts.query}`;
}

/** The URL behind `iaSurt`: session ids, `www`, fragment, default port and needless escapes are gone. */
export function iaCanonical(url: string): string {
  if (/^(filedesc|warcinfo|dns|urn|mailto|data|about|blob):/i.test(url)) return url;
  const { scheme, host, port, path, query } = iaParts(url);
  return `${scheme}://${host}${port === '' ? '' : `:${port}`}${path}${query}`;
}

interface UrlParts {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  /** With its '?', or ''. */
  readonly query: string;
}

function iaParts(url: string): UrlParts {
  const google = googleParts(url);
  const { scheme, port } = google;
  const isDefaultPort = (scheme === 'http' && port === '80') || (scheme === 'https' && port === '443');
  let path = stripPathSession(google.path).toLowerCase();
  if (path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
  const query = stripQuerySession(google.query.slice(1)).toLowerCase();
  return {
    scheme,
    host: google.host.replace(/^www\d*\./, ''),
    port: isDefaultPort ? '' : port,
    path: path === '' ? '/' : path,
    query: sortQuery(query === '' ? '' : `?${query}`),
  };
}

/** Google's Safe Browsing canonicalisation, on which the Internet Archive's is built. */
export function googleCanonical(url: string): string {
  if (/^(mailto|dns):/i.test(url)) return url;
  const { scheme, host, port, path, query } = googleParts(url);
  return `${scheme}://${host}${port === '' ? '' : `:${port}`}${path}${query}`;
}

const PARTS = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#]*@)?([^/?#]*?)(?::(\d*))?([/][^?#]*)?(\?[^#]*)?(?:#.*)?$/i;

function googleParts(url: string): UrlParts {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: tab and line ends inside a URL are dropped, as browsers do.
  const clean = url.replace(/^[\u0000- ]+|[\u0000- ]+$/g, '').replace(/[\t\r\n]/g, '');
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(clean) ? clean : `http://${clean}`;
  const [, scheme = 'http', host = '', port = '', path = '', query = ''] = PARTS.exec(full) ?? [];
  return {
    scheme: scheme.toLowerCase(),
    host: googleHost(host),
    port,
    path: minimalEscape(normalPath(unescapeRepeatedly(toBytes(path)))),
    query: query === '' ? '' : `?${minimalEscape(unescapeRepeatedly(toBytes(query.slice(1))))}`,
  };
}

function googleHost(host: string): string {
  const bytes = unescapeRepeatedly(toBytes(host));
  const bare = bytes.replace(/^\.+|\.+$/g, '').replace(/\.{2,}/g, '.');
  const text = fromUtf8(bare) ?? bare;
  // Signs that would end the host early when parsed again have to stay in it.
  if (!/[#?/\\@:]/.test(text) || /^\[[0-9a-f:.]+\]$/i.test(text)) {
    try {
      // The platform's parser knows punycode and numeric IPv4 addresses.
      return new URL(`http://${text}/`).hostname;
    } catch {}
  }
  return minimalEscape(bare.replace(/[A-Z]+/g, (run) => run.toLowerCase()));
}

/** Text as a string of bytes (each char below 256). A string that already is UTF-8 bytes is kept. */
function toBytes(text: string): string {
  let wide = false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) wide = true;
  if (!wide) return text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "every byte".
  if (/^[\u0000-\u00ff]*$/.test(text) && fromUtf8(text) !== undefined) return text;
  return encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function fromUtf8(bytes: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(bytes, (char) => char.charCodeAt(0)),
    );
  } catch {
    return undefined;
  }
}

/** `%25%32%35` => `%`: undone until nothing changes. */
export function unescapeRepeatedly(text: string): string {
  for (;;) {
    const next = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === text) return text;
    text = next;
  }
}

function minimalEscape(bytes: string): string {
  // Everything but printable ASCII, and of that '#' and '%'.
  return bytes.replace(
    /[^!"$&-~]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** Dots resolved, runs of slashes made one, always with a slash first. */
function normalPath(path: string): string {
  const out: string[] = [];
  const segments = path.split('/');
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') out.pop();
    else out.push(segment);
  }
  const last = segments.at(-1);
  const isFolder = out.length > 0 && (last === '' || last === '.' || last === '..');
  return `/${out.join('/')}${isFolder ? '/' : ''}`;
}

/** ASP.NET's `/(S(…))/` and the servlets' `;jsessionid=…`. */
export function stripPathSession(path: string): string {
  return path
    .replace(/^(.*\/)(?:\((?:[a-z]\([0-9a-z]{24}\))+\)|\([0-9a-z]{24}\))\/([^?]+\.aspx.*)$/i, '$1$2')
    .replace(/;jsessionid=[0-9a-z]{32}$/i, '');
}

const QUERY_SESSIONS: readonly RegExp[] = [
  /^(.*?)(?:jsessionid=[0-9a-z$]{10,})(?:&(.*))?$/i,
  /^(.*?)(?:phpsessid=[0-9a-z]{32})(?:&(.*))?$/i,
  /^(.*?)(?:sid=[0-9a-z]{32})(?:&(.*))?$/i,
  /^(.*?)(?:aspsessionid[a-z]{8}=[a-z]{24})(?:&(.*))?$/i,
  /^(.*?)(?:cfid=[^&]+&cftoken=[^&]+)(?:&(.*))?$/i,
];

export function stripQuerySession(query: string): string {
  for (const pattern of QUERY_SESSIONS) {
    const match = pattern.exec(query);
    if (!match) continue;
    const [, before = '', after = ''] = match;
    // A name that merely ends like one (`mysid=`) is not a session id.
    if (before !== '' && !before.endsWith('&')) continue;
    query = after === '' ? before.replace(/&$/, '') : before + after;
  }
  return query;
}
