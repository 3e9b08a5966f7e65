import { guardedConnect, type Lookup } from '../../capture/http/guarded-connect.ts';
import type { WaysOut } from '../../capture/http/ways-out.ts';
import { CaptureFault } from '../../model/fault.ts';
import { isLoopbackHost } from '../../model/site.ts';
import { type WebAddress, webAddress } from './web-address.ts';

/** Part of the sentence about https that was tried in vain. */
export const UNANSWERED = 'does not answer';

/** Limit for a connection, in milliseconds. */
const PATIENCE = 10_000;

export interface ConnectOptions {
  readonly allowPrivate: boolean;
  /** False: https is assumed where no scheme is given, without connecting. */
  readonly connects?: boolean;
  readonly lookup?: Lookup;
  readonly ways?: WaysOut;
  /** Tells a person what was decided on their behalf. */
  readonly say: (sentence: string) => void;
}

/**
 * The URL to request. Where no scheme was given, it is https, unless https does not answer and http does: then http,
 * with a notice. Only a connection is made, no request. An invalid certificate counts as an answer: the crawl will
 * report it.
 */
export async function settledUrl({ url, assumed }: WebAddress, options: ConnectOptions): Promise<string> {
  const { hostname, protocol } = new URL(url);
  const mayAsk = options.connects ?? true;
  if (!assumed || !mayAsk || protocol !== 'https:' || isLoopbackHost(hostname)) return url;
  const refused = await connects(url, options);
  if (refused === undefined) return url;
  const plain = url.replace(/^https:/, 'http:');
  if ((await connects(plain, options)) !== undefined) return url;
  options.say(
    `${url} ${UNANSWERED} (${refused}): asking ${plain} instead. Write the scheme to decide it yourself.`,
  );
  return plain;
}

/** Connections under way at once: a file of seeds may name a million hosts. */
const AT_ONCE = 50;

/** Seeds with their URLs settled; each host is tried once. What is not an address is left for the crawl to refuse. */
export async function settledSeeds<Seed extends { readonly url: string }>(
  seeds: readonly Seed[],
  options: ConnectOptions,
): Promise<Seed[]> {
  const addresses = seeds.map(({ url }) => (/^https?:\/\//i.test(url) ? undefined : webAddress(url)));
  const origins = new Map<string, WebAddress>();
  for (const address of addresses)
    if (address?.assumed)
      origins.set(new URL(address.url).origin, { ...address, url: `${new URL(address.url).origin}/` });
  const settled = new Map<string, string>();
  const waiting = [...origins].values();
  const ask = async (): Promise<void> => {
    for (const [origin, address] of waiting)
      settled.set(origin, new URL(await settledUrl(address, options)).origin);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, origins.size) }, ask));
  return seeds.map((seed, index) => {
    const address = addresses[index];
    if (!address?.assumed) return seed;
    const { origin } = new URL(address.url);
    return { ...seed, url: (settled.get(origin) ?? origin) + address.url.slice(origin.length) };
  });
}

/**
 * Why the host does not answer; undefined when it does, or when connecting would tell nothing (no such name, a private
 * address).
 */
async function connects(
  url: string,
  { allowPrivate, lookup, ways }: ConnectOptions,
): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(url);
  const isTls = protocol === 'https:';
  const target = {
    hostname,
    port: Number(port) || (isTls ? 443 : 80),
    url,
    ...(isTls && { tls: { insecure: true } }),
  };
  try {
    const policy = { allowPrivate, ...(lookup && { lookup }), ...(ways && { ways }) };
    const { socket } = await guardedConnect(target, policy, [AbortSignal.timeout(PATIENCE)]);
    socket.on('error', () => {});
    socket.destroy();
    return undefined;
  } catch (error) {
    if (!(error instanceof CaptureFault)) return 'no answer';
    return error.kind === 'dns-failure' || error.kind === 'private-address' ? undefined : REASONS[error.kind];
  }
}

const REASONS: Readonly<Record<string, string>> = {
  'connection-refused': 'connection refused',
  'connection-failed': 'the connection broke',
  timeout: 'no answer',
  'tls-failure': 'no TLS there',
};
