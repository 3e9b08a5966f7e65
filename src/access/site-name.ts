import { HOSTS_AS_SITES, type SiteBounds } from '../model/site-bounds.ts';

/**
 * The site that people mean by a host, an address or a URL: `example.org`, `www.Example.org`, `example.org:8080`,
 * `https://example.org/a/page`; or by a directory that rules make a site. '' where it is none.
 */
export function siteNamed(text: string, { siteOf }: Pick<SiteBounds, 'siteOf'> = HOSTS_AS_SITES): string {
  const given = text.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) return siteOf(given);
  // Without a scheme either default port may be meant.
  return siteOf(`https://${given.replace(/^\/+/, '').replace(/^([^/]*):80(?=\/|$)/, '$1')}`);
}
