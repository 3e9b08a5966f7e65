/**
 * A rendered body with holes: the parts that differ from request to request (ads, tokens, the origin of absolute URLs)
 * are filled in when it is served, so that the rest is rendered once per version.
 */
export type Hole = `ad:${string}` | 'nonce' | 'csrf' | 'origin';

export type Rendered =
  | { readonly kind: 'text'; readonly parts: readonly string[] }
  | { readonly kind: 'bytes'; readonly bytes: Buffer };

const MARK = '\u0001';

/** Holes are at odd indices once the text is split at the marks. */
export const hole = (name: Hole): string => MARK + name + MARK;
export const textBody = (text: string): Rendered => ({ kind: 'text', parts: text.split(MARK) });
export const bytesBody = (bytes: Buffer): Rendered => ({ kind: 'bytes', bytes });

export function fillHoles(parts: readonly string[], filler: (name: Hole) => string): string {
  let text = '';
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    text += i % 2 === 0 ? part : filler(part as Hole);
  }
  return text;
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&quot;'));
