import { getPublicSuffix } from 'tldts';
import { isLoopbackHost } from '../../model/site.ts';
import type { Millis } from '../../model/time.ts';

export const SAME_SITE = ['Strict', 'Lax', 'None'] as const;
export type SameSite = (typeof SAME_SITE)[number];

/** As RFC 6265 stores it. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  /** In lower case, without a leading dot. */
  readonly domain: string;
  /** Sent to that host alone, not to those below it. */
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite?: SameSite;
  /** Absent: until the session ends. */
  readonly expires?: Millis;
}

/** Bytes of name and value that browsers accept. */
const LONGEST = 4096;

/** Characters not allowed in a cookie: they would end the header line, or the cookie, early. */
const NOT_SENDABLE = /[^\P{Cc}\t]|;/u;

export const cookieKey = ({ name, domain, path }: Pick<Cookie, 'name' | 'domain' | 'path'>): string =>
  `${domain};${path};${name}`;

/** A `Set-Cookie` value from a server at this URL; undefined where a browser would reject it. */
export function parseSetCookie(text: string, url: URL, now: Millis): Cookie | undefined {
  const [pair = '', ...rest] = text.split(';');
  const { name, value } = nameAndValue(pair);
  if ((name === '' && value === '') || name.length + value.length > LONGEST) return undefined;
  if (NOT_SENDABLE.test(name) || NOT_SENDABLE.test(value)) return undefined;
  const attributes = new Map(
    rest.map((part) => nameAndValue(part, true)).map((one) => [one.name.toLowerCase(), one.value]),
  );
  const host = url.hostname.toLowerCase();
  const place = domainOf(attributes.get('domain') ?? '', host);
  const isSafe = url.protocol === 'https:' || isLoopbackHost(url.hostname);
  const secure = attributes.has('secure');
  if (!place || (secure && !isSafe)) return undefined;
  const given = attributes.get('path') ?? '';
  const path = given.startsWith('/') ? given : defaultPath(url.pathname);
  if (name.startsWith('__Secure-') && !secure) return undefined;
  if (name.startsWith('__Host-') && !(secure && place.hostOnly && path === '/')) return undefined;
  const sameSite = SAME_SITE.find((one) => one.toLowerCase() === attributes.get('samesite')?.toLowerCase());
  const expires = expiry(attributes, now);
  return {
    name,
    value,
    ...place,
    path,
    secure,
    httpOnly: attributes.has('httponly'),
    ...(sameSite && { sameSite }),
    ...(expires !== undefined && { expires }),
  };
}

function nameAndValue(text: string, isAttribute = false): { readonly name: string; readonly value: string } {
  const at = text.indexOf('=');
  // A cookie without `=` is a value without a name; an attribute without it is a flag.
  if (at < 0) return isAttribute ? { name: text.trim(), value: '' } : { name: '', value: text.trim() };
  return { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
}

/** Undefined if the host may not set cookies for that domain. */
function domainOf(given: string, host: string): Pick<Cookie, 'domain' | 'hostOnly'> | undefined {
  const domain = given.replace(/^\./, '').toLowerCase();
  if (domain === '' || domain === host) {
    // If given explicitly it includes the hosts below, unless it is a shared suffix (co.uk) or an address.
    const isShared = domain === '' || isAddress(host) || isSuffix(domain);
    return { domain: host, hostOnly: isShared };
  }
  return isBelow(host, domain) && !isSuffix(domain) ? { domain, hostOnly: false } : undefined;
}

const isAddress = (host: string): boolean => host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);

export const isBelow = (host: string, domain: string): boolean =>
  !isAddress(host) && host.endsWith(`.${domain}`);

const isSuffix = (domain: string): boolean =>
  getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;

function defaultPath(pathname: string): string {
  const slash = pathname.lastIndexOf('/');
  return slash <= 0 ? '/' : pathname.slice(0, slash);
}

function expiry(attributes: ReadonlyMap<string, string>, now: Millis): Millis | undefined {
  const age = attributes.get('max-age');
  if (age !== undefined && /^-?\d+$/.test(age)) return Number(age) <= 0 ? 0 : now + Number(age) * 1000;
  const date = Date.parse(attributes.get('expires') ?? '');
  return Number.isNaN(date) ? undefined : date;
}
