import { isLoopbackHost } from '../../model/site.ts';
import type { Millis } from '../../model/time.ts';
import { type Cookie, cookieKey, isBelow, parseSetCookie } from './cookie.ts';

/** Cookies of one domain, as in Chromium. */
const MOST_PER_DOMAIN = 180;

/** What changed in a jar. */
export interface CookieChanges {
  readonly set: readonly Cookie[];
  /** Keys: see cookieKey. */
  readonly removed: readonly string[];
}

/** The cookies of one visitor, by the rules of RFC 6265. */
export class CookieJar {
  readonly #cookies = new Map<string, Cookie>();

  constructor(cookies: Iterable<Cookie> = []) {
    for (const cookie of cookies) this.#set(cookie);
  }

  /** The value of `Cookie` for a request made by a person following a link; undefined if there is nothing to send. */
  headerFor(url: URL, now: Millis): string | undefined {
    const sent = this.list(now)
      .filter((cookie) => goesTo(cookie, url))
      // The sort is stable: among equally long paths the older cookie comes first.
      .sort((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => (name === '' ? value : `${name}=${value}`));
    return sent.length > 0 ? sent.join('; ') : undefined;
  }

  /** What an answer's `Set-Cookie` fields ask for. */
  asked(url: URL, fields: readonly string[], now: Millis): CookieChanges {
    const cookies = fields.flatMap((field) => parseSetCookie(field, url, now) ?? []);
    const isOver = ({ expires }: Cookie): boolean => expires !== undefined && expires <= now;
    return {
      set: cookies.filter((cookie) => !isOver(cookie)),
      removed: cookies.filter(isOver).map(cookieKey),
    };
  }

  apply({ set, removed }: CookieChanges): void {
    for (const key of removed) this.#cookies.delete(key);
    for (const cookie of set) this.#set(cookie);
  }

  list(now: Millis): Cookie[] {
    return [...this.#cookies.values()].filter(({ expires }) => expires === undefined || expires > now);
  }

  #set(cookie: Cookie): void {
    const key = cookieKey(cookie);
    const isNew = !this.#cookies.has(key);
    this.#cookies.set(key, cookie);
    if (!isNew) return;
    const same = [...this.#cookies].filter(([, { domain }]) => domain === cookie.domain);
    if (same.length > MOST_PER_DOMAIN) this.#cookies.delete(same[0]?.[0] ?? '');
  }
}

/** The differences between two lists of cookies. */
export function cookieChanges(before: readonly Cookie[], after: readonly Cookie[]): CookieChanges {
  const known = new Map(before.map((cookie) => [cookieKey(cookie), JSON.stringify(sorted(cookie))]));
  const kept = new Set(after.map(cookieKey));
  return {
    set: after.filter((cookie) => known.get(cookieKey(cookie)) !== JSON.stringify(sorted(cookie))),
    removed: [...known.keys()].filter((key) => !kept.has(key)),
  };
}

const sorted = (cookie: Cookie): unknown[] => Object.entries(cookie).sort(([a], [b]) => (a < b ? -1 : 1));

function goesTo({ domain, hostOnly, path, secure }: Cookie, url: URL): boolean {
  const host = url.hostname.toLowerCase();
  if (host !== domain && (hostOnly || !isBelow(host, domain))) return false;
  if (secure && url.protocol !== 'https:' && !isLoopbackHost(url.hostname)) return false;
  const { pathname } = url;
  if (path === '/' || path === pathname) return true;
  return pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/');
}
