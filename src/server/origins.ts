import { RequestProblem } from './api-error.ts';

/**
 * The web page and its API on one host, archived content on others: one per archived site and view where the
 * browser can be told so (`<label>.localhost`, or the wildcard of a public URL), else one for all sites.
 */
export interface Origins {
  /** Origin of the web page, for a browser that came by this Host header. */
  ui(hostHeader: string | undefined): string;
  /** Origins of replay, with `*` for the label of a site; without one, all sites share it. */
  replay(hostHeader: string | undefined): string;
  /** One origin that sends captures as they were stored, for people and tools. */
  raw(hostHeader: string | undefined): string;
  /** Every origin under which the web page may be open: those that may frame replayed pages. */
  uiAll(): readonly string[];
}

export interface OriginOptions {
  readonly host: string;
  readonly uiPort: number;
  readonly replayPort: number;
  readonly publicUrl?: string | undefined;
  /** May hold a wildcard: `https://*.replay.example.org`. */
  readonly publicReplayUrl?: string | undefined;
  /** Further hosts of the web page. */
  readonly names?: readonly string[] | undefined;
}

// Not [::1]: a content security policy has no spelling for IPv6 addresses, so replay could not be framed.
const LOOPBACK = ['127.0.0.1', 'localhost'];
const ANY_ADDRESS = new Set(['0.0.0.0', '::', '[::]', '']);
/** Browsers take every name below `localhost` for this machine and ask no resolver. */
const LABELS_OF_LOCALHOST = /^[a-z0-9-]{1,63}(?:\.[0-9a-f]{32})?\.localhost$/;

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
    replay(hostHeader) {
      if (publicReplay !== undefined) return publicReplay;
      const name = LABELS_OF_LOCALHOST.test(hostName(hostHeader) ?? '') ? 'localhost' : named(hostHeader);
      return at(LOOPBACK.includes(name) && isOnLocalhost(options) ? '*.localhost' : name, options.replayPort);
    },
    raw: (hostHeader) => publicReplay?.replace('*', 'raw') ?? at(named(hostHeader), options.replayPort),
    uiAll: () => (publicUi ? [publicUi] : names.map((name) => at(name, options.uiPort))),
  };
}

/** Whether only this machine reaches a server that listens there. */
export const isLoopbackName = (host: string): boolean =>
  LOOPBACK.includes(host.toLowerCase()) || /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

/** Whether `<label>.localhost` reaches this server. */
function isOnLocalhost({ host }: OriginOptions): boolean {
  return LOOPBACK.includes(host.toLowerCase()) || ANY_ADDRESS.has(host);
}

/** The names by which a browser may call the web page, the preferred one first. */
function hostNames({ host, publicUrl, names: more = [] }: OriginOptions): string[] {
  const names = ANY_ADDRESS.has(host) ? [] : [bracketed(host.toLowerCase())];
  if (publicUrl !== undefined) names.push(new URL(publicUrl).hostname);
  return [...new Set([...names, ...more, ...LOOPBACK])];
}

export function hostName(hostHeader: string | undefined): string | undefined {
  if (hostHeader === undefined) return undefined;
  const match = /^(\[[0-9a-f:.]+\]|[^:/@]+)(?::\d+)?$/i.exec(hostHeader);
  return match?.[1]?.toLowerCase();
}

export type HostCheck = (hostHeader: string | undefined) => void;

/**
 * A page of the open web can point a name of its own at 127.0.0.1 (DNS rebinding) and would then read the
 * archive as its own origin. The Host header gives it away.
 */
export function uiHostCheck(options: OriginOptions): HostCheck {
  const names = new Set(hostNames(options));
  return (hostHeader) => {
    const name = hostName(hostHeader);
    if (name === undefined || !names.has(name)) refuse(hostHeader, [...names][0]);
  };
}

/** As for the web page, and the hosts of replay, which the web page does not answer to. */
export function replayHostCheck(options: OriginOptions): HostCheck {
  const names = new Set(hostNames(options));
  const own = replayHosts(options);
  return (hostHeader) => {
    const name = hostName(hostHeader);
    if (name === undefined || !(names.has(name) || own(name))) refuse(hostHeader, [...names][0]);
  };
}

function replayHosts(options: OriginOptions): (name: string) => boolean {
  if (options.publicReplayUrl === undefined) return (name) => LABELS_OF_LOCALHOST.test(name);
  const { hostname } = new URL(options.publicReplayUrl);
  if (!hostname.startsWith('*.')) return (name) => name === hostname;
  const suffix = hostname.slice(1);
  return (name) => name.endsWith(suffix) && /^[a-z0-9-]{1,63}$/.test(name.slice(0, -suffix.length));
}

function refuse(hostHeader: string | undefined, name: string | undefined): never {
  throw new RequestProblem(
    403,
    `this server does not answer to the host '${hostHeader ?? ''}'`,
    `open it as ${name}, or name the public URL when you start it`,
  );
}
