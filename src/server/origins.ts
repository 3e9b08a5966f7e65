import { RequestProblem } from './api-error.ts';

/**
 * Two origins: the web page and its API on one, archived content on the other. They differ by port, and by
 * nothing else unless public URLs are given (a reverse proxy with TLS in front).
 */
export interface Origins {
  /** Origin of the web page, for a browser that came by this Host header. */
  ui(hostHeader: string | undefined): string;
  replay(hostHeader: string | undefined): string;
  /** Every origin under which the web page may be open: those that may frame replayed pages. */
  uiAll(): readonly string[];
}

export interface OriginOptions {
  readonly host: string;
  readonly uiPort: number;
  readonly replayPort: number;
  readonly publicUrl?: string | undefined;
  readonly publicReplayUrl?: string | undefined;
}

// Not [::1]: a content security policy has no spelling for IPv6 addresses, so replay could not be framed.
const LOOPBACK = ['127.0.0.1', 'localhost'];
const ANY_ADDRESS = new Set(['0.0.0.0', '::', '[::]', '']);

/** A literal IPv6 address stands in brackets in URLs and Host headers. */
const bracketed = (host: string): string =>
  host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;

export function originsFor(options: OriginOptions): Origins {
  const names = hostNames(options);
  const at = (name: string, port: number): string => `http://${name}:${port}`;
  const named = (hostHeader: string | undefined): string => {
    const name = hostName(hostHeader);
    return name !== undefined && names.includes(name) ? name : (names[0] ?? '127.0.0.1');
  };
  const publicUi = options.publicUrl === undefined ? undefined : new URL(options.publicUrl).origin;
  const publicReplay =
    options.publicReplayUrl === undefined ? undefined : new URL(options.publicReplayUrl).origin;
  return {
    ui: (hostHeader) => publicUi ?? at(named(hostHeader), options.uiPort),
    replay: (hostHeader) => publicReplay ?? at(named(hostHeader), options.replayPort),
    uiAll: () => (publicUi ? [publicUi] : names.map((name) => at(name, options.uiPort))),
  };
}

/** The names by which a browser may call us, the preferred one first. */
function hostNames({ host, publicUrl, publicReplayUrl }: OriginOptions): string[] {
  const names = ANY_ADDRESS.has(host) ? [] : [bracketed(host.toLowerCase())];
  for (const url of [publicUrl, publicReplayUrl]) if (url !== undefined) names.push(new URL(url).hostname);
  return [...new Set([...names, ...LOOPBACK])];
}

export function hostName(hostHeader: string | undefined): string | undefined {
  if (hostHeader === undefined) return undefined;
  const match = /^(\[[0-9a-f:.]+\]|[^:/@]+)(?::\d+)?$/i.exec(hostHeader);
  return match?.[1]?.toLowerCase();
}

/**
 * A page of the open web can point a name of its own at 127.0.0.1 (DNS rebinding) and would then read the
 * archive as its own origin. The Host header gives it away.
 */
export function hostGuard(options: OriginOptions): (hostHeader: string | undefined) => void {
  const names = new Set(hostNames(options));
  return (hostHeader) => {
    const name = hostName(hostHeader);
    if (name !== undefined && names.has(name)) return;
    throw new RequestProblem(
      403,
      `this server does not answer to the host '${hostHeader ?? ''}'`,
      `open it as ${[...names][0]}, or name the public URL when you start it`,
    );
  };
}
