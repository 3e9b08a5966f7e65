import type { HeaderList } from '../model/exchange.ts';

/**
 * Header fields of an archived response, made fit to be sent again from here. Fields that describe the
 * content go out as they were. Fields that would act on the browser or on the connection go out under
 * `x-archive-orig-`, so that nothing is hidden and nothing takes effect.
 */

/** Describe the connection of then, or are computed anew for this one. RFC 9110 §7.6.1. */
const DROPPED = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'content-range',
  'accept-ranges',
]);

/** Would set policy, state or destinations for the replay origin, or make the browser load from elsewhere. */
const RENAMED = new Set([
  'accept-ch',
  'age',
  'alt-svc',
  'cache-control',
  'clear-site-data',
  'content-security-policy',
  'content-security-policy-report-only',
  'critical-ch',
  'date',
  'document-policy',
  'etag',
  'expect-ct',
  'expires',
  'feature-policy',
  'last-modified',
  'link',
  'location',
  'memento-datetime',
  'nel',
  'no-vary-search',
  'origin-agent-cluster',
  'origin-trial',
  'permissions-policy',
  'pragma',
  'proxy-authenticate',
  'public-key-pins',
  'public-key-pins-report-only',
  'referrer-policy',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'server-timing',
  'service-worker-allowed',
  'service-worker-navigation-preload',
  'set-cookie',
  'set-cookie2',
  'sourcemap',
  'speculation-rules',
  'strict-transport-security',
  'supports-loading-mode',
  'timing-allow-origin',
  'vary',
  'warning',
  'www-authenticate',
  'x-dns-prefetch-control',
  'x-frame-options',
  'x-sourcemap',
  'x-xss-protection',
]);

const renamed = (name: string): boolean =>
  RENAMED.has(name) ||
  name.startsWith('access-control-') ||
  name.startsWith('cross-origin-') ||
  name.startsWith('x-archive-') ||
  // Header fields that wabac interprets: an archived response must not set them.
  name.startsWith('x-orig-') ||
  name.startsWith('x-redirect-') ||
  name.startsWith('x-proxy-') ||
  name.startsWith('x-wabac-');

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
/** Node refuses these in a header value: a malformed archived field is left out rather than breaking replay. */
const BAD_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Whether fields that would act are sent at all, under another name. */
export type Acting = 'renamed' | 'left out';

/** Values by lower-case name, in the order they came. */
export function sendableHeaders(headers: HeaderList, acting: Acting = 'renamed'): Map<string, string[]> {
  const sendable = new Map<string, string[]>();
  for (const [rawName, value] of headers) {
    const name = rawName.trim().toLowerCase();
    if (DROPPED.has(name) || !NAME.test(name) || BAD_VALUE.test(value)) continue;
    const acts = renamed(name);
    if (acts && acting === 'left out') continue;
    const target = acts ? `x-archive-orig-${name}` : name;
    const values = sendable.get(target);
    if (values) values.push(value);
    else sendable.set(target, [value]);
  }
  return sendable;
}

/** The `name=value` parts of archived cookies that scripts of the page could see (not HttpOnly). */
export function visibleCookies(headers: HeaderList): readonly string[] {
  const cookies: string[] = [];
  for (const [name, value] of headers) {
    if (name.toLowerCase() !== 'set-cookie' || /;\s*httponly/i.test(value)) continue;
    const pair = value.split(';', 1)[0]?.trim() ?? '';
    // wabac splits the list at commas: a cookie that holds one cannot be told apart.
    if (pair.includes('=') && !pair.includes(',') && !BAD_VALUE.test(pair)) cookies.push(pair);
  }
  return cookies;
}
