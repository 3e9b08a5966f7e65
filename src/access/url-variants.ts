/**
 * Spellings of a URL under which the same page is often archived: as asked, as the URL standard spells it,
 * without the escapes that browsers add, with the other of http and https, with and without `www.`. Exact first, so
 * that a variant never hides it.
 */
export function urlVariants(url: string): readonly string[] {
  const variants = new Set([url]);
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return [url];
  }
  parsed.hash = '';
  variants.add(parsed.href);
  variants.add(unescaped(parsed.href));
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return [...variants];
  const schemes = parsed.protocol === 'http:' ? ['http:', 'https:'] : ['https:', 'http:'];
  for (const host of hostVariants(parsed.host)) {
    for (const scheme of schemes) {
      const variant = `${scheme}//${host}${parsed.pathname}${parsed.search}`;
      variants.add(variant).add(unescaped(variant));
    }
  }
  return [...variants];
}

/**
 * With the characters that the URL standard escapes as they are: ARC files and some tools hold URLs with spaces and
 * accents, and no browser can ask for those but in escapes.
 */
function unescaped(url: string): string {
  return url.replace(/(?:%(?:2[027]|3[CE]|5E|60|7[BD]|[89A-F][0-9A-F]))+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

function hostVariants(host: string): readonly string[] {
  if (host.startsWith('www.')) return [host, host.slice('www.'.length)];
  // `www.` before an address or a bare name such as localhost leads nowhere.
  const named = host.includes('.') && !/^[\d.]+(:\d+)?$/.test(host) && !host.startsWith('[');
  return named ? [host, `www.${host}`] : [host];
}

/** Whether two URLs differ at most in scheme, `www.` and fragment. */
export function sameButForVariant(one: string, other: string): boolean {
  return urlVariants(one).includes(other.split('#', 1)[0] ?? other);
}

/**
 * wabac turns a POST into a GET whose query ends in `__wb_method=POST&…body…`. The URL that was posted to,
 * and the method; undefined for ordinary URLs.
 */
export function postedUrl(url: string): { readonly url: string; readonly method: string } | undefined {
  const match = /[?&]__wb_method=([A-Z]+)(?=&|$)/.exec(url);
  if (!match) return undefined;
  return { url: url.slice(0, match.index), method: match[1] ?? 'POST' };
}
