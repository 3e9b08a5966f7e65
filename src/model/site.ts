/**
 * The site a URL belongs to: host and port, without a leading `www.`. '' for a URL without a host (`urn:`,
 * `data:`) and for text that is not a URL.
 */
export function siteOf(url: string): string {
  try {
    const { host } = new URL(url);
    return host.startsWith('www.') && host.length > 4 ? host.slice(4) : host;
  } catch {
    return '';
  }
}

/** Hosts that resolve to this very machine: RFC 6761, RFC 1122, RFC 4291. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host);
}
