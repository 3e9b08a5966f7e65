import { surt } from '../../model/surt.ts';
import { CdxProblem } from './cdx-problem.ts';

export const MATCH_TYPES = ['exact', 'prefix', 'host', 'domain'] as const;
export type MatchType = (typeof MATCH_TYPES)[number];

/** Lines that a URL asks for: those of SURT keys from one up to another. */
export interface KeyRange {
  readonly matchType: MatchType;
  readonly keys: { readonly from: string; readonly to: string };
}

/**
 * `example.org/a*` => prefix, `*.example.org` => domain; else what `matchType` says, exact unless given.
 * A SURT key has its host turned round, so that a host with all below it is one range: `org,example)` ends the name of the
 * host, `org,example,` begins those below it.
 */
export function keyRange(given: string, matchType: string | undefined): KeyRange {
  const text = given.trim();
  if (text === '') throw new CdxProblem('url: no URL is given', 'write e.g. url=https://example.org/');
  if (matchType !== undefined && !isMatchType(matchType))
    throw new CdxProblem(
      `matchType: '${matchType}' is none`,
      `one of ${MATCH_TYPES.join(', ')}; or a wildcard in the url: *.example.org, example.org/a*`,
    );
  if (text.startsWith('*.')) return { matchType: 'domain', keys: domainKeys(withScheme(text.slice(2))) };
  if (text.endsWith('*')) return { matchType: 'prefix', keys: prefixKeys(withScheme(text.slice(0, -1))) };
  const url = withScheme(text);
  switch (matchType) {
    case 'prefix':
      return { matchType, keys: prefixKeys(url) };
    case 'host':
      return { matchType, keys: { from: hostKey(url), to: after(hostKey(url)) } };
    case 'domain':
      return { matchType, keys: domainKeys(url) };
    default: {
      const key = surt(url);
      // A blank is before all that can follow in a longer key.
      return { matchType: 'exact', keys: { from: key, to: `${key} ` } };
    }
  }
}

const isMatchType = (text: string): text is MatchType => MATCH_TYPES.some((type) => type === text);

function prefixKeys(url: string): KeyRange['keys'] {
  const key = surt(url);
  return { from: key, to: after(key) };
}

/** `org,example)` and `org,example,sub)`, in ASCII on both sides of `*` and `+`. */
function domainKeys(url: string): KeyRange['keys'] {
  const key = hostKey(url);
  return { from: key, to: `${key.slice(0, -1)}-` };
}

/** `http://example.org/a` => `org,example)`. */
function hostKey(url: string): string {
  const key = surt(url);
  const end = key.indexOf(')');
  if (end < 0) throw new CdxProblem(`url: '${url}' has no host`, 'write e.g. url=example.org');
  return key.slice(0, end + 1);
}

/** The first key after all that begin with this one. */
const after = (key: string): string =>
  key.slice(0, -1) + String.fromCodePoint((key.codePointAt(key.length - 1) ?? 0) + 1);

function withScheme(url: string): string {
  const full = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url) ? url : `http://${url.replace(/^\/+/, '')}`;
  if (/^https?:/i.test(full) && !URL.canParse(full))
    throw new CdxProblem(
      `url: '${url}' is no URL`,
      'write e.g. url=https://example.org/, percent-encoded where it has & or #',
    );
  return full;
}
