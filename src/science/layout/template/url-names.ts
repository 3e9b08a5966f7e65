/** URLs and attributes as written by the snapshot's walk (src/capture/browser/snapshot-values.ts). */

import { sha256 } from '../content-hash.ts';

/** In UTF-16 units; snapshots cut longer values and add a hash of the whole. */
const LONGEST = 2048;

/** 128 bits of SHA-256: an author who knows the code cannot construct a collision. */
export const hash = (text: string): string => sha256(text).slice(0, 32);

export const shortened = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST)}#${hash(text)}` : text;

export function urlName(url: string): string {
  if (url.startsWith('data:')) return `data:${hash(url)}`;
  return url.startsWith('blob:') ? 'blob:' : shortened(url);
}

/** Turns the `href` or `src` of an element into an absolute URL, or leaves it as written where it cannot be parsed. */
export type Resolve = (url: string) => string;

/** Most addresses on a page are plain paths of its own site, which need no parser. */
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
