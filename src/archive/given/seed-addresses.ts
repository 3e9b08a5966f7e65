import { guardedConnect, type Lookup } from '../../capture/http/guarded-connect.ts';
import { CaptureFault } from '../../model/fault.ts';
import { isLoopbackHost } from '../../model/site.ts';
import { type WebAddress, webAddress } from './web-address.ts';

/** Milliseconds for a connection. */
const PATIENCE = 10_000;

export interface ConnectOptions {
  readonly allowPrivate: boolean;
  readonly lookup?: Lookup;
  /** Tells a person what was decided for them. */
  readonly say: (sentence: string) => void;
}

/**
 * The URL to ask. Where no scheme was given, https is, unless it does not answer and http does: then that, and it is said.
 * Only a connection is made, no request. A certificate that is not valid is an answer: the crawl will say so.
 */
export async function settledUrl({ url, assumed }: WebAddress, options: ConnectOptions): Promise<string> {
  const { hostname, protocol } = new URL(url);
  if (!assumed || protocol !== 'https:' || isLoopbackHost(hostname)) return url;
  const refused = await connects(url, options);
  if (refused === undefined) return url;
  const plain = url.replace(/^https:/, 'http:');
  if ((await connects(plain, options)) !== undefined) return url;
  options.say(
    `${url} does not answer (${refused}): asking ${plain} instead. Write the scheme to decide it yourself.`,
  );
  return plain;
}

/** Seeds as they were given => with their URLs. What is no address is left for the crawl to refuse. */
export async function settledSeeds<Seed extends { readonly url: string }>(
  seeds: readonly Seed[],
  options: ConnectOptions,
): Promise<Seed[]> {
  return Promise.all(
    seeds.map(async (seed) => {
      const address = webAddress(seed.url);
      return address?.assumed ? { ...seed, url: await settledUrl(address, options) } : seed;
    }),
  );
}

/** Why nobody answers there; undefined when somebody does, or when asking tells nothing (no such name, a private address). */
async function connects(url: string, { allowPrivate, lookup }: ConnectOptions): Promise<string | undefined> {
  const { hostname, port, protocol } = new URL(url);
  const isTls = protocol === 'https:';
  const target = {
    hostname,
    port: Number(port) || (isTls ? 443 : 80),
    url,
    ...(isTls && { tls: { insecure: true } }),
  };
  try {
    const socket = await guardedConnect(target, { allowPrivate, ...(lookup && { lookup }) }, [
      AbortSignal.timeout(PATIENCE),
    ]);
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
