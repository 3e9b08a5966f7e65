/** Cookies in the form Chromium reports and accepts. */
import type { Cookie, SameSite } from '../session/cookie.ts';

export interface StoredCookie {
  readonly name: string;
  readonly value: string;
  /** With a leading dot unless the cookie is for that host alone. */
  readonly domain: string;
  readonly path: string;
  /** Seconds; -1 for a session cookie. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite?: SameSite;
  /** Set on cookies that a third party has on one site only (CHIPS). */
  readonly partitionKey?: unknown;
}

export interface CookieParam {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly expires?: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite?: SameSite;
}

/** Undefined for partitioned ones: they mean nothing outside the site they were set on. */
export function cookieOf({ domain, expires, partitionKey, ...stored }: StoredCookie): Cookie | undefined {
  if (partitionKey !== undefined) return undefined;
  const { name, value, path, secure, httpOnly, sameSite } = stored;
  return {
    name,
    value,
    domain: domain.replace(/^\./, ''),
    hostOnly: !domain.startsWith('.'),
    path,
    secure,
    httpOnly,
    ...(sameSite && { sameSite }),
    ...(expires >= 0 && { expires: Math.round(expires * 1000) }),
  };
}

export function cookieParam(cookie: Cookie): CookieParam {
  const { name, value, domain, hostOnly, path, secure, httpOnly, sameSite, expires } = cookie;
  return {
    name,
    value,
    domain: hostOnly ? domain : `.${domain}`,
    path,
    secure,
    httpOnly,
    // Chromium rejects `None` without Secure, but accepts the cookie without the attribute.
    ...(sameSite && (sameSite !== 'None' || secure) && { sameSite }),
    ...(expires !== undefined && { expires: expires / 1000 }),
  };
}
