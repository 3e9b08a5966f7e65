/** Ways out: the proxies through which hosts are reached. */

export const PROXY_SCHEMES = ['http', 'socks5'] as const;
export type ProxyScheme = (typeof PROXY_SCHEMES)[number];

export interface WebProxy {
  readonly scheme: ProxyScheme;
  /** As in `URL.hostname`. */
  readonly hostname: string;
  readonly port: number;
  readonly credentials?: { readonly user: string; readonly password: string };
}

/** The first rule that matches a host decides. */
export interface ProxyRule {
  /** `*` for all hosts, `*.example.org` for that host and those below it, else a single host. */
  readonly hosts: string;
  readonly proxy: WebProxy | 'direct';
}

export interface WaysOut {
  readonly rules: readonly ProxyRule[];
  /** The proxies resolve names: which addresses they reach is unknown here, and not checked. */
  readonly proxyDns: boolean;
}

/** Undefined means direct. */
export function proxyFor(hostname: string, { rules }: WaysOut): WebProxy | undefined {
  const host = hostname.toLowerCase();
  const rule = rules.find(({ hosts }) => fits(host, hosts));
  return rule === undefined || rule.proxy === 'direct' ? undefined : rule.proxy;
}

function fits(host: string, hosts: string): boolean {
  if (hosts === '*') return true;
  if (!hosts.startsWith('*.')) return host === hosts;
  return host === hosts.slice(2) || host.endsWith(hosts.slice(1));
}

/** Without its credentials: for messages and records. */
export const proxyName = ({ scheme, hostname, port }: WebProxy): string => `${scheme}://${hostname}:${port}`;

/** `[hosts=]socks5://user:password@proxy:1080`, or `hosts=direct`. Undefined if it is neither. */
export function parseProxyRule(text: string): ProxyRule | undefined {
  const [, named, address = ''] = /^(?:([^=:/@\s]+)=)?(\S+)$/.exec(text.trim()) ?? [];
  const hosts = (named ?? '*').toLowerCase();
  if (!/^(?:\*|(?:\*\.)?(?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+\.?)$/u.test(hosts)) return undefined;
  if (address === 'direct') return { hosts, proxy: 'direct' };
  const [, scheme = '', rest = ''] = /^(http|socks5):\/\/(.+)$/i.exec(address) ?? [];
  if (scheme === '' || !URL.canParse(`http://${rest}`)) return undefined;
  // Parsed as http, whose hosts and ports every URL parser knows; port 80 is then dropped as the default.
  const url = new URL(`http://${rest}`);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.hostname === '') return undefined;
  const isSocks = /^socks/i.test(scheme);
  const given = /:(\d+)\/?$/.exec(rest)?.[1];
  const port = given === undefined ? (isSocks ? 1080 : 3128) : Number(given);
  const [user, password] = [safelyDecoded(url.username), safelyDecoded(url.password)];
  if (user === undefined || password === undefined) return undefined;
  return {
    hosts,
    proxy: {
      scheme: isSocks ? 'socks5' : 'http',
      hostname: url.hostname,
      port,
      ...(user !== '' && { credentials: { user, password } }),
    },
  };
}

function safelyDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
