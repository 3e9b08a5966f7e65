/**
 * The address of a picture without what servers add to bypass caches and track visitors: two sources with the same key
 * show the same picture. Only for matching; what is stored is never rewritten.
 */

const PARAMETER =
  /^(?:_|cb|cachebuster|cache|nocache|bust|buster|rnd|rand|random|r|t|ts|time|timestamp|v|ver|version|rev|hash|sid|sessionid|session|session_id|jsessionid|phpsessid|aspsessionid\w*|cfid|cftoken|utm_\w+|fbclid|gclid|msclkid|mc_cid|mc_eid)$/iu;

// A bare number or hash as the whole query is a cache-buster too: `logo.png?1643365200`.
const BARE = /^(?:\d{6,}|[0-9a-f]{8,})$/iu;

export function sourceKey(source: string): string {
  const mark = source.indexOf('?');
  if (mark === -1 && !source.includes('#') && !source.includes(';')) return source;
  const path = source.replace(/[?#].*$/su, '').replace(/;jsessionid=[^/]*/iu, '');
  if (mark === -1) return path;
  const query = source.slice(mark + 1).replace(/#.*$/su, '');
  const kept = query.split('&').filter((part) => {
    const name = part.split('=', 1)[0] as string;
    return part !== '' && !PARAMETER.test(name) && !(name === part && BARE.test(part));
  });
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}
