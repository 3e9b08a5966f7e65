/**
 * Where a URL lies in the directory tree of its site: `/a/b/` and the name of the page in it.
 *
 * Decided: a page is its path with its query, as the server distinguishes pages. Everything before the last slash
 * is directories, so `/news/` and `/news/index.html` are two pages of `/news/`, and `/news` is a page of `/`: a
 * server may give each different content. Case is kept, since it matters to most servers. Spellings that RFC 3986 calls equal
 * (escaped letters, small hex digits, `.` and `..`) become one. A segment past the limit is cut and named by its hash,
 * and levels past the limit stay part of the page's name: a tree must not grow with what a trap makes up.
 */
export interface SitePath {
  /** Begins and ends with a slash. */
  readonly directory: string;
  /** The rest, with its query; empty for the directory's own address. */
  readonly page: string;
}

const MAX_SEGMENT = 200;
const MAX_DEPTH = 500;

/** Of a URL or of a path such as `/a/b?x=1` or `a/b`. */
export function sitePath(address: string): SitePath {
  const withoutFragment = cutAt(address, '#')[0];
  const [before, query] = cutAt(withoutFragment, '?');
  const path = before.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  const segments = withoutDots(path.split('/').slice(path.startsWith('/') ? 1 : 0));
  const name = segments.pop() ?? '';
  const directories = segments.slice(0, MAX_DEPTH);
  const page = [...segments.slice(MAX_DEPTH), name].map(spelled).join('/');
  return {
    directory:
      directories.length === 0 ? '/' : `/${directories.map((one) => short(spelled(one))).join('/')}/`,
    page: short(page + (query === undefined ? '' : `?${spelled(query)}`)),
  };
}

function cutAt(text: string, sign: string): [string, string | undefined] {
  const at = text.indexOf(sign);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** RFC 3986, 5.2.4; empty segments (`//`) are dropped, as servers do. */
function withoutDots(segments: readonly string[]): string[] {
  const kept: string[] = [];
  const last = segments.length - 1;
  segments.forEach((segment, i) => {
    if (segment === '..') kept.pop();
    if (segment === '.' || segment === '..' || segment === '') {
      if (i === last) kept.push('');
    } else kept.push(segment);
  });
  return kept;
}

/** One spelling: letters, digits and `-._~` unescaped, everything else that is escaped in capitals. */
function spelled(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%[0-9a-f]{2}/gi, (octet) => {
    const letter = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return /[\w.~-]/.test(letter) ? letter : octet.toUpperCase();
  });
}

function short(segment: string): string {
  if (segment.length <= MAX_SEGMENT) return segment;
  return `${segment.slice(0, MAX_SEGMENT)}~${fnv1a(segment).toString(16)}`;
}

/** Distinguishes cut names; by forcing a collision one gains nothing but a coarser tree of one's own site. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** `/a/b/` => `/a/`; the root has none. */
export function parentOf(directory: string): string | undefined {
  if (directory === '/') return undefined;
  return directory.slice(0, directory.lastIndexOf('/', directory.length - 2) + 1);
}
