/** The CDXJ key of a URL as the Webrecorder tools (warcio, wabac.js, js-wacz) make it: our index lines use it. */

const WWW = /^(https?:\/\/)www\d*\./;

/** `https://www.Example.com/b?z&a` => `com,example)/b?a&z`. URNs and other schemes stay as they are. */
export function surt(url: string): string {
  if (!url.startsWith('http:') && !url.startsWith('https:')) return url;
  const lower = url.replace(WWW, '$1').toLowerCase();
  let parsed: URL;
  try {
    parsed = new URL(lower);
  } catch {
    return lower;
  }
  const port = parsed.port ? `:${parsed.port}` : '';
  return `${reverseHost(parsed.hostname)}${port})${parsed.pathname}${sortQuery(parsed.search)}`;
}

function reverseHost(host: string): string {
  return host.split('.').reverse().join(',');
}

function sortQuery(search: string): string {
  return search === '' ? '' : `?${search.slice(1).split('&').sort().join('&')}`;
}
