import { plainResolver } from '../scope/normalise.ts';

/** `url(…)` and `@import "…"` of a style sheet, in order, as written; comments are skipped. */
export function rawCssUrls(css: string): string[] {
  const found: string[] = [];
  const token = /\/\*|url\(|@import\s*(?=["'])/gi;
  for (let match = token.exec(css); match; match = token.exec(css)) {
    let at = token.lastIndex;
    if (match[0] === '/*') {
      const end = css.indexOf('*/', at);
      if (end < 0) return found;
      token.lastIndex = end + 2;
      continue;
    }
    while (isSpace(css.charCodeAt(at))) at++;
    const quote = css[at] ?? '';
    const quoted = quote === '"' || quote === "'";
    const end = quoted ? endOfString(css, at + 1, quote) : css.indexOf(')', at);
    // Unterminated, and so is everything after it: stopping here keeps malformed input linear.
    if (end < 0) return found;
    const value = css.slice(quoted ? at + 1 : at, end).trim();
    if (value !== '') found.push(value.includes('\\') ? unescapeCss(value) : value);
    token.lastIndex = end + 1;
  }
  return found;
}

export function extractCssUrls(css: string, baseUrl: string): string[] {
  return [...resolved(rawCssUrls(css), resourceResolver(baseUrl))];
}

/** Each URL once, in order; those that cannot be resolved are left out. */
export function resolved(
  raw: Iterable<string>,
  resolve: (href: string) => string | undefined,
): ReadonlySet<string> {
  const urls = new Set<string>();
  for (const href of raw) {
    const url = resolve(href);
    if (url !== undefined) urls.add(url);
  }
  return urls;
}

/**
 * Absolute URLs as a browser would request them: unlike for links, escapes are not folded, since replay looks
 * up embedded resources by exactly the spelling the page uses.
 */
export function resourceResolver(baseUrl: string): (raw: string) => string | undefined {
  const resolve = plainResolver(baseUrl, (raw, base) => {
    try {
      const url = new URL(raw, base);
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
      url.username = '';
      url.password = '';
      const hash = url.href.indexOf('#');
      return hash < 0 ? url.href : url.href.slice(0, hash);
    } catch {
      return undefined;
    }
  });
  return (raw) =>
    raw === '' || raw.charCodeAt(0) === 35 || raw.startsWith('data:') ? undefined : resolve(raw);
}

function endOfString(css: string, from: number, quote: string): number {
  let end = css.indexOf(quote, from);
  while (end > from && css[end - 1] === '\\') end = css.indexOf(quote, end + 1);
  return end;
}

export function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function unescapeCss(value: string): string {
  return value.replace(
    /\\(?:([0-9a-f]{1,6})\s?|(\n)|(.))/gi,
    (_, hex?: string, _newline?: string, char?: string) => {
      if (hex === undefined) return char ?? '';
      const code = Number.parseInt(hex, 16);
      return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
    },
  );
}
