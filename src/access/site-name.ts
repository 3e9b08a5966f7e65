import { siteOf } from '../model/site.ts';

/**
 * The site that people mean by a host, an address or a URL: `example.org`, `www.Example.org`, `example.org:8080`,
 * `https://example.org/a/page`. '' where it is none.
 */
export function siteNamed(text: string): string {
  const given = text.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) return siteOf(given);
  // Without a scheme either default port may be meant.
  return siteOf(`https://${given.replace(/^\/+/, '')}`).replace(/:80$/, '');
}
