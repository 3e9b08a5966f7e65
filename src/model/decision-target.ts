/**
 * What a decision is about, from the narrowest to the widest:
 *
 *   page      https://example.org/a       this URL alone; http and https are one
 *   pattern   example.org/blog/*          URLs that match; * stands for any characters
 *   site      example.org, host:8080      the host and all its subdomains; with a port, on that port alone
 */
export type TargetKind = 'page' | 'pattern' | 'site';

export function targetKind(target: string): TargetKind {
  if (target.includes('*')) return 'pattern';
  return target.includes('/') ? 'page' : 'site';
}

/** A URL or target without its scheme and fragment. */
export const bareUrl = (url: string): string => url.replace(/^https?:\/\//i, '').replace(/#.*$/s, '');

/** The hosts that a bare URL belongs to: `a.example.org:81` => itself, `a.example.org`, `example.org:81`, `example.org`, … */
export function* hostsOver(bare: string): Generator<string> {
  const host = /^[^/?#]*/.exec(bare)?.[0].replace(/^.*@/, '').toLowerCase() ?? '';
  const [, name = host, port = ''] = /^(.*?)(:\d+)?$/.exec(host) ?? [];
  // An IP address has no subdomains.
  const isAddress = /^\[|^[\d.]+$/.test(name);
  for (let rest = name.replace(/\.$/, ''); rest !== ''; ) {
    if (port !== '') yield `${rest}${port}`;
    yield rest;
    const dot = rest.indexOf('.');
    if (dot < 0 || isAddress) return;
    rest = rest.slice(dot + 1);
  }
}

/** Whether a bare URL matches a pattern. Linear in the URL for each star: no user-supplied regular expression is run. */
export function patternTest(pattern: string): (bare: string) => boolean {
  const parts = bareUrl(pattern).split('*');
  const [head = ''] = parts;
  const tail = parts.at(-1) ?? '';
  return (bare) => {
    if (!bare.startsWith(head) || bare.length < head.length + tail.length || !bare.endsWith(tail))
      return false;
    let at = head.length;
    const end = bare.length - tail.length;
    for (const part of parts.slice(1, -1)) {
      const found = bare.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

/** Whether some URL may match both. For two patterns: only whether one matches the other's text, which misses some cases. */
export function mayTouch(a: string, b: string): boolean {
  const [one, other] = [a, b].map((target) => ({ kind: targetKind(target), bare: bareUrl(target) })) as [
    Target,
    Target,
  ];
  if (one.kind === 'pattern') return patternTouches(one.bare, other);
  if (other.kind === 'pattern') return patternTouches(other.bare, one);
  if (one.kind === 'page' && other.kind === 'page') return one.bare === other.bare;
  return isUnder(one.bare, other) || isUnder(other.bare, one);
}

interface Target {
  readonly kind: TargetKind;
  readonly bare: string;
}

const isUnder = (bare: string, { kind, bare: site }: Target): boolean =>
  kind === 'site' && [...hostsOver(bare)].includes(site.toLowerCase());

function patternTouches(pattern: string, { kind, bare }: Target): boolean {
  if (kind === 'page') return patternTest(pattern)(bare);
  if (kind === 'pattern') return pattern === bare || patternTest(pattern)(bare) || patternTest(bare)(pattern);
  const host = /^[^/]*/.exec(pattern)?.[0] ?? '';
  if (!host.includes('*')) return [...hostsOver(host)].includes(bare);
  const tail = host.slice(host.lastIndexOf('*') + 1);
  return tail === '' || bare.endsWith(tail) || `.${tail}`.endsWith(`.${bare}`);
}
