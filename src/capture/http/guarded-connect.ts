import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { CaptureFault } from '../../model/fault.ts';
import { isPublicAddress } from './address-rules.ts';
import { connectFault } from './connect-fault.ts';
import { openTunnel } from './proxied-connect.ts';
import { proxyFor, proxyName, type WaysOut, type WebProxy } from './ways-out.ts';

/** All addresses of a host name. Injected by tests; otherwise the system's resolver. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface AddressPolicy {
  /** Loopback, private and other special addresses may be connected to. */
  readonly allowPrivate?: boolean;
  readonly lookup?: Lookup;
  /** Direct if absent. */
  readonly ways?: WaysOut;
}

export interface ConnectTarget {
  /** As in `URL.hostname`: IPv6 in brackets, IPv4 in dotted decimal whatever form the link had. */
  readonly hostname: string;
  readonly port: number;
  /** Named in faults. */
  readonly url: string;
  readonly tls?: { readonly insecure: boolean };
}

const systemLookup: Lookup = (hostname) =>
  new Promise((resolve, reject) => {
    dnsLookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/** A connection, and the address it leads to; unknown if a proxy resolved the name. */
export interface Reached {
  readonly socket: Socket;
  readonly ip: string | undefined;
}

/**
 * Opens a socket to a permitted address, or throws a CaptureFault. The rule is applied to the addresses that
 * are handed to `connect`, not to an earlier resolution: a name that resolves to a public address when
 * checked and to a private one when connected (DNS rebinding) gains nothing. A proxy is handed the address
 * too.
 */
export async function guardedConnect(
  target: ConnectTarget,
  policy: AddressPolicy,
  signals: readonly AbortSignal[] = [],
): Promise<Reached> {
  const host = bare(target.hostname);
  for (const signal of signals) signal.throwIfAborted();
  if (isIP(host) !== 0 && !policy.allowPrivate && !isPublicAddress(host)) throw refusal(target, host, [host]);
  const proxy = policy.ways && proxyFor(target.hostname, policy.ways);
  if (proxy) return throughProxy(target, proxy, policy, signals);
  const lookup: LookupFunction = (hostname, options, callback) => {
    permitted(target, policy, hostname).then(
      (allowed) => {
        const [first] = allowed;
        if (options.all) callback(null, [...allowed]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
  const options = { host, port: target.port, lookup, noDelay: true };
  const socket = target.tls
    ? connectTls({ ...options, ...tlsOptions(host, target.tls) })
    : connectTcp(options);
  await opened(socket, target.tls ? 'secureConnect' : 'connect', signals, (error) =>
    connectFault(error, target),
  );
  // The address the socket reports: correct even if Node one day resolves names differently.
  const reached = socket.remoteAddress;
  if (!policy.allowPrivate && reached !== undefined && !isPublicAddress(reached)) {
    socket.destroy();
    throw refusal(target, host, [reached]);
  }
  return { socket, ip: reached };
}

/** The proxy itself is the user's choice: the address rules apply to where it is sent. */
async function throughProxy(
  target: ConnectTarget,
  proxy: WebProxy,
  policy: AddressPolicy,
  signals: readonly AbortSignal[],
): Promise<Reached> {
  const host = bare(target.hostname);
  const isName = isIP(host) === 0;
  const ip = isName && policy.ways?.proxyDns ? undefined : await addressFor(target, policy, host);
  const failed = (error: Error): CaptureFault => {
    const why = (error as NodeJS.ErrnoException).code ?? error.message;
    return new CaptureFault(
      'proxy-failed',
      target.url,
      `the proxy ${proxyName(proxy)} cannot be reached: ${why}`,
    );
  };
  const plain = connectTcp({ host: bare(proxy.hostname), port: proxy.port, noDelay: true });
  await opened(plain, 'connect', signals, failed);
  await during(
    plain,
    signals,
    openTunnel(plain, proxy, { host: ip ?? host, port: target.port, url: target.url }),
  );
  if (!target.tls) return { socket: plain, ip };
  const socket = connectTls({ socket: plain, ...tlsOptions(host, target.tls) });
  await opened(socket, 'secureConnect', signals, (error) => connectFault(error, target));
  return { socket, ip };
}

/** IPv4 if there is one: we do not know which of the two the proxy can reach. */
async function addressFor(target: ConnectTarget, policy: AddressPolicy, host: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  try {
    const allowed = await permitted(target, policy, host);
    return (allowed.find(({ family }) => family === 4) ?? allowed[0]).address;
  } catch (error) {
    throw error instanceof CaptureFault ? error : connectFault(error as Error, target);
  }
}

/** Addresses of a name that may be connected to: at least one. */
async function permitted(
  target: ConnectTarget,
  { allowPrivate, lookup = systemLookup }: AddressPolicy,
  hostname: string,
): Promise<readonly [LookupAddress, ...LookupAddress[]]> {
  const addresses = await lookup(hostname);
  const [first, ...more] = allowPrivate
    ? addresses
    : addresses.filter(({ address }) => isPublicAddress(address));
  if (first) return [first, ...more];
  const all = addresses.map(({ address }) => address);
  throw all.length > 0 ? refusal(target, bare(target.hostname), all) : noAddress(hostname);
}

const bare = (hostname: string): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname);

const tlsOptions = (host: string, { insecure }: { readonly insecure: boolean }) => ({
  ...(isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {}),
  ALPNProtocols: ['http/1.1'],
  rejectUnauthorized: !insecure,
});

/** Resolves at this event of the socket; if an error or a signal comes first, the socket is destroyed. */
function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signals: readonly AbortSignal[],
  faultOf: (error: Error) => CaptureFault,
): Promise<void> {
  const opening = new Promise<void>((resolve, reject) => {
    socket.once('error', (error) => reject(error instanceof CaptureFault ? error : faultOf(error)));
    socket.once(event, resolve);
  });
  return during(socket, signals, opening);
}

/** Destroys the socket if the work fails, or a signal comes first. */
async function during(socket: Socket, signals: readonly AbortSignal[], work: Promise<void>): Promise<void> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signals.find((signal) => signal.aborted)?.reason);
  });
  // Not AbortSignal.any: on Node 20 each call leaks a little memory on a long-lived signal.
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  if (signals.some((signal) => signal.aborted)) onAbort();
  try {
    await Promise.race([work, aborted]);
  } catch (error) {
    work.catch(() => {});
    aborted.catch(() => {});
    socket.on('error', () => {});
    socket.destroy();
    throw error;
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', onAbort);
  }
}

function refusal(target: ConnectTarget, host: string, addresses: readonly string[]): CaptureFault {
  const what =
    host === addresses[0] ? `address ${host}` : `${host} resolves to ${addresses.join(', ')}, which`;
  return new CaptureFault(
    'private-address',
    target.url,
    `${what} is not public: refused; give --allow-private to capture it`,
  );
}

function noAddress(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), {
    code: 'ENOTFOUND',
    syscall: 'getaddrinfo',
  });
}
