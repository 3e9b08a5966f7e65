/**
 * Two spellings of one URL are one entry of the frontier, and the server is still asked for what the link
 * meant. So only what RFC 3986 §6.2.2 calls equivalent is folded: case of scheme, host and percent-escapes,
 * escapes of unreserved characters, default ports, dot segments. Fragments and user names are dropped: the
 * former never reach a server, the latter must not reach an archive.
 *
 * Deliberately kept: tracking arguments, order of arguments, empty queries, trailing slashes, double slashes,
 * `www.`. Any of them may name another page, and an archive keeps the URL as it was.
 */
import { words } from '../words.ts';

export type CrawlUrl =
  | { readonly ok: true; readonly url: string }
  | {
      readonly ok: false;
      readonly reason: 'unsupported-url';
      readonly detail: string;
      /** The detail without this URL. */
      readonly rule: string;
    };

/** Passing a parsed `base` saves half of the work when many links of one page are read. */
export function crawlUrl(href: string, base?: string | URL): CrawlUrl {
  let url: URL;
  try {
    url = base === undefined ? new URL(href) : new URL(href, base);
  } catch {
    if (base === undefined) return refusal(href, 'not an absolute URL');
    return refusal(href, `no URL, seen from ${base}`, 'no URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refusal(href, `scheme '${url.protocol.slice(0, -1)}' is not fetched`);
  }
  return { ok: true, url: canonicalHref(url) };
}

function refusal(href: string, why: string, rule = why): CrawlUrl {
  const shown = href.length > 200 ? `${href.slice(0, 200)}…` : href;
  return { ok: false, reason: 'unsupported-url', detail: `${why}: ${shown}`, rule };
}

function canonicalHref(url: URL): string {
  if (url.username !== '' || url.password !== '') {
    url.username = '';
    url.password = '';
  }
  const hash = url.href.indexOf('#');
  return foldEscapes(hash < 0 ? url.href : url.href.slice(0, hash));
}

/** RFC 3986 §2.3: ALPHA, DIGIT, '-', '.', '_', '~'. */
function isUnreserved(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 46 ||
    code === 95 ||
    code === 126
  );
}

/** `%7e`, `%7E` and `~` are the same; `%2f` stays an escape, in capitals. A lone `%` is left alone. */
export function foldEscapes(text: string): string {
  let at = text.indexOf('%');
  if (at < 0) return text;
  let out = '';
  let copied = 0;
  while (at >= 0 && at + 2 < text.length) {
    const code = hexPair(text, at + 1);
    if (code >= 0) {
      out += text.slice(copied, at);
      out += isUnreserved(code) ? String.fromCharCode(code) : text.slice(at, at + 3).toUpperCase();
      copied = at + 3;
      at = text.indexOf('%', copied);
    } else {
      at = text.indexOf('%', at + 1);
    }
  }
  return copied === 0 ? text : out + text.slice(copied);
}

/** Value of two hexadecimal digits; -1 if they are not. */
export function hexPair(text: string, at: number): number {
  const high = hexDigit(text.charCodeAt(at));
  const low = hexDigit(text.charCodeAt(at + 1));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/**
 * Characters that a URL parser passes through unchanged in path and query. Not among them: `%` (escapes may
 * need folding), `.` (dot segments), `\` (becomes `/`) and `'` (escaped in queries only).
 */
const PLAIN = new Uint8Array(128);
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~/?=&+,;:!()*$@')
  PLAIN[c.charCodeAt(0)] = 1;

/** `crawlUrl` for the many links of one page: undefined where crawlUrl would refuse. */
export function linkResolver(base: string): (href: string) => string | undefined {
  return plainResolver(base, (href, from) => {
    const made = crawlUrl(href, from);
    return made.ok ? made.url : undefined;
  });
}

/**
 * Most links are plain, and for them joining two strings does what the URL parser would do; the others go to
 * `parse`. Takes half as long over the links of news pages as the parser alone.
 */
export function plainResolver(
  base: string,
  parse: (href: string, base: string | undefined) => string | undefined,
): (href: string) => string | undefined {
  const made = crawlUrl(base);
  if (!made.ok) return (href) => parse(href, undefined);
  const url = new URL(made.url);
  const { origin, protocol } = url;
  const folder = origin + url.pathname.slice(0, url.pathname.lastIndexOf('/') + 1);
  return (href) => joined(href, origin, protocol, folder) ?? parse(href, made.url);
}

function joined(href: string, origin: string, protocol: string, folder: string): string | undefined {
  const first = href.charCodeAt(0);
  if (first === 47 && href.charCodeAt(1) === 47) {
    const path = plainOriginEnd(href, 2);
    const end = path > 0 ? plainEnd(href, path + 1) : -1;
    return end < 0 ? undefined : protocol + href.slice(0, end);
  }
  if (first === 47) {
    const end = plainEnd(href, 1);
    return end < 0 ? undefined : origin + href.slice(0, end);
  }
  const path = plainOriginEnd(href, href.startsWith('https://') ? 8 : href.startsWith('http://') ? 7 : 0);
  if (path > 0) {
    const end = plainEnd(href, path + 1);
    return end < 0 ? undefined : href.slice(0, end);
  }
  // `story.html`, `img/a.png`; a colon may end a scheme.
  if (first > 127 || !isUnreserved(first) || first === 46 || href.includes(':')) return undefined;
  const end = plainEnd(href, 1);
  return end < 0 ? undefined : folder + href.slice(0, end);
}

/** Where the fragment or the text ends, if everything before it is plain; else -1. */
function plainEnd(href: string, from: number): number {
  for (let i = from; i < href.length; i++) {
    const code = href.charCodeAt(i);
    if (code < 128 && PLAIN[code] === 1) continue;
    if (code === 35) return i;
    // A dot is plain unless it begins a segment, where it may be '.' or '..'.
    if (code === 46 && href.charCodeAt(i - 1) !== 47) continue;
    return -1;
  }
  return href.length;
}

/**
 * Position of the slash after a lower-case host name at `from`; 0 for anything less plain (ports, IPs, …).
 */
function plainOriginEnd(href: string, from: number): number {
  if (from === 0) return 0;
  let last = from;
  for (let i = from; i < href.length; i++) {
    const code = href.charCodeAt(i);
    if ((code >= 97 && code <= 122) || code === 45) continue;
    if (code >= 48 && code <= 57) continue;
    if (code === 46) {
      last = i + 1;
      continue;
    }
    // The last label must begin with a letter, else it is an IPv4 address in one of its spellings; 'xn--'
    // labels are checked by the parser.
    if (code === 47 && i > from) {
      const first = href.charCodeAt(last);
      return first >= 97 && first <= 122 && !href.slice(from, i).includes('xn--') ? i : 0;
    }
    return 0;
  }
  return 0;
}

/** Argument names that carry sessions whatever their value. */
const SESSION_NAMES = words('jsessionid phpsessid aspsessionid cfid cftoken oscsid zenid');
/** Names that carry sessions only if the value looks random: `sid=12` is a story. */
const MAYBE_SESSION_NAMES = words('sid session sessionid session_id sessid s phpsid');

/** Its name, and the URL without it; undefined for a URL without a session id. */
export function sessionIdOf(url: string): { readonly name: string; readonly without: string } | undefined {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const inPath = sessionInPath(path);
  if (query < 0) return inPath;
  let name = inPath?.name;
  const kept: string[] = [];
  for (const pair of url.slice(query + 1).split('&')) {
    const equals = pair.indexOf('=');
    const key = (equals < 0 ? pair : pair.slice(0, equals)).toLowerCase();
    const value = equals < 0 ? '' : pair.slice(equals + 1);
    if (isSession(key, value)) name ??= key;
    else kept.push(pair);
  }
  if (name === undefined) return undefined;
  const bare = inPath?.without ?? path;
  return { name, without: kept.length > 0 ? `${bare}?${kept.join('&')}` : bare };
}

function isSession(key: string, value: string): boolean {
  if (SESSION_NAMES.has(key) || key.startsWith('aspsessionid')) return value !== '';
  return MAYBE_SESSION_NAMES.has(key) && looksRandom(value);
}

/** 16 or more letters and digits, including both: md5, base-36 and base-64 ids, but not words or numbers. */
function looksRandom(value: string): boolean {
  return value.length >= 16 && /^[\w-]+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}

/** `/page;jsessionid=1A2B`, and ASP.NET's cookieless `/(S(lit3py55t21z5v55vlm25s55))/page`. */
function sessionInPath(path: string): { name: string; without: string } | undefined {
  const lower = path.toLowerCase();
  const semicolon = lower.indexOf(';jsessionid=');
  if (semicolon >= 0) {
    const slash = path.indexOf('/', semicolon);
    return {
      name: 'jsessionid',
      without: path.slice(0, semicolon) + (slash < 0 ? '' : path.slice(slash)),
    };
  }
  const open = lower.indexOf('/(s(');
  const close = open < 0 ? -1 : lower.indexOf('))', open);
  if (close < 0) return undefined;
  return { name: '(S(…))', without: path.slice(0, open) + path.slice(close + 2) };
}
