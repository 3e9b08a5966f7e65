import { type ProxyRule, parseProxyRule, proxyName, type WaysOut } from '../../capture/http/ways-out.ts';
import type { WayFact } from '../../model/session.ts';
import { UserError } from '../user-error.ts';
import { secretTexts } from './secret-text.ts';
import type { SessionSettings } from './session-settings.ts';

/** Undefined where everything is reached directly. */
export function givenWays({
  proxy,
  proxyDns,
}: Pick<SessionSettings, 'proxy' | 'proxyDns'>): WaysOut | undefined {
  const rules = proxy.flatMap((given) => secretTexts(given, '--proxy').map(rule));
  if (rules.length === 0) {
    if (proxyDns) throw new UserError('--proxy-dns lets proxies resolve names: give one by --proxy');
    return undefined;
  }
  // A host before the domains it is under, and all others last, in whatever order they were given.
  const rank = ({ hosts }: ProxyRule): number =>
    hosts === '*' ? 0 : hosts.startsWith('*.') ? hosts.length : Number.POSITIVE_INFINITY;
  const ranked = [...rules.entries()].sort(([i, a], [j, b]) =>
    rank(a) === rank(b) ? i - j : rank(b) - rank(a),
  );
  return { rules: ranked.map(([, one]) => one), proxyDns };
}

function rule(text: string): ProxyRule {
  const parsed = parseProxyRule(text);
  if (parsed) return parsed;
  // Credentials are between // and @.
  const shown = text.replace(/\/\/.*@/s, '//…@').slice(0, 200);
  const hint = /socks5h:/i.test(text) ? '; for names that the proxy resolves, add --proxy-dns' : '';
  throw new UserError(
    `--proxy: '${shown}' is no proxy: write http://host:port or socks5://user:password@host:port, ` +
      `or for some hosts '*.example.org=socks5://host:port' or 'example.org=direct'${hint}`,
  );
}

export const wayFacts = ({ rules }: WaysOut): readonly WayFact[] =>
  rules.map(({ hosts, proxy }) => ({ hosts, proxy: proxy === 'direct' ? proxy : proxyName(proxy) }));

/** Stored with a crawl that did not go out directly. */
export function waysNote(ways: WaysOut): string {
  const list = wayFacts(ways).map(({ hosts, proxy }) => `${hosts === '*' ? 'all hosts' : hosts}: ${proxy}`);
  const dns = ways.proxyDns
    ? '; names were resolved there (--proxy-dns), so that addresses were neither checked nor recorded'
    : '';
  return `reached through proxies: ${list.join(', ')}${dns}`;
}
