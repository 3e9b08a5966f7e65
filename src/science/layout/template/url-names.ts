/** URLs and attributes as the snapshot's walk writes them (src/capture/browser/snapshot-values.ts). */

/** UTF-16 units; what is longer stands in snapshots with a hash of the whole. */
const LONGEST = 2048;

/** FNV-1a, forwards and backwards: two times 32 bits. No defence against an author who wants two texts to be alike. */
export function hash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x811c9dc5;
  for (let i = 0, j = text.length - 1; j >= 0; i++, j--) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(j), 0x01000193);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

export const shortened = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST)}#${hash(text)}` : text;

export function urlName(url: string): string {
  if (url.startsWith('data:')) return `data:${hash(url)}`;
  return url.startsWith('blob:') ? 'blob:' : shortened(url);
}

/** As the `href` or `src` of an element says it: absolute, or as written where it cannot be parsed. */
export type Resolve = (url: string) => string;

/** Most addresses of a page are plain paths of its own site: those need no parser. */
const PLAIN_PATH = /^\/(?!\/)[\w\-~!$&()*+,;=:@/.]*$/u;
const DOTS = /\/\.{1,2}(?:\/|$)/u;

export function resolver(base: string): Resolve {
  const parsed = URL.canParse(base) ? new URL(base) : undefined;
  const origin = parsed?.protocol === 'https:' || parsed?.protocol === 'http:' ? parsed.origin : undefined;
  const known = new Map<string, string>();
  return (url) => {
    let name = known.get(url);
    if (name === undefined) {
      if (origin !== undefined && PLAIN_PATH.test(url) && !DOTS.test(url)) name = urlName(origin + url);
      else name = urlName(URL.canParse(url, base) ? new URL(url, base).href : url);
      known.set(url, name);
    }
    return name;
  };
}
