/**
 * The site a URL belongs to: host and port, without a leading `www.`. '' for a URL without a host (`urn:`,
 * `data:`) and for text that is no URL.
 */
export function siteOf(url: string): string {
  try {
    const { host } = new URL(url);
    return host.startsWith('www.') && host.length > 4 ? host.slice(4) : host;
  } catch {
    return '';
  }
}
