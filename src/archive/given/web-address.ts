import { isIP } from 'node:net';
import { parse } from 'tldts';
import { isLoopbackHost } from '../../model/site.ts';

/** A URL as people give it. */
export interface WebAddress {
  readonly url: string;
  /** No scheme was given: https is meant if it answers. */
  readonly assumed: boolean;
}

/** Suffixes outside the public suffix list: RFC 6761, RFC 8375, and what home networks use. */
const SPECIAL_NAMES = /^localhost$|\.(?:localhost|test|example|invalid|internal|local|lan|home\.arpa)$/i;
const WITHOUT_SCHEME = /^(\[[0-9a-f:.]+\]|[^\s/?#:@\\[\]]+)(?::(\d{1,5}))?(?:[/?#].*)?$/is;

/**
 * `https://example.org/a` unchanged; `example.org/a` => `https://example.org/a`; `localhost:8080` and other loopback
 * addresses => `http://`. Undefined for what is not a web address, such as `page.html` or `ftp://x`: a host must end
 * in a known suffix.
 */
export function webAddress(text: string): WebAddress | undefined {
  const given = text.trim();
  if (/^https?:\/\//i.test(given))
    return URL.canParse(given) ? { url: new URL(given).href, assumed: false } : undefined;
  const bare = given.replace(/^\/\//, '');
  const [, host = '', port] = WITHOUT_SCHEME.exec(bare) ?? [];
  if (host === '' || !isHost(host, port !== undefined)) return undefined;
  const url = `${isLoopbackHost(host) ? 'http' : 'https'}://${bare}`;
  return URL.canParse(url) ? { url: new URL(url).href, assumed: true } : undefined;
}

function isHost(host: string, hasPort: boolean): boolean {
  if (host.startsWith('[') || isIP(host) !== 0 || SPECIAL_NAMES.test(host)) return true;
  const { isIcann, isPrivate, domain } = parse(host);
  if (domain !== null && (isIcann === true || isPrivate === true)) return true;
  // `wiki.corp:8080`: only a host has a port.
  return hasPort && host.includes('.');
}
