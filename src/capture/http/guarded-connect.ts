import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { CaptureFault } from '../../model/fault.ts';
import { isPublicAddress } from './address-rules.ts';
import { connectFault } from './connect-fault.ts';

/** Every address of a host name. Injected by tests; the system's resolver otherwise. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface AddressPolicy {
  /** Loopback, private and other special addresses may be connected to. */
  readonly allowPrivate?: boolean;
  readonly lookup?: Lookup;
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

/**
 * Opens a socket to a permitted address, or throws a CaptureFault. The rule is applied to the addresses that
 * are handed to `connect`, not to an earlier resolution: a name that resolves to a public address when asked
 * first and to a private one when connected (DNS rebinding) gains nothing.
 */
export function guardedConnect(
  target: ConnectTarget,
  policy: AddressPolicy,
  signals: readonly AbortSignal[] = [],
): Promise<Socket> {
  const host = target.hostname.startsWith('[') ? target.hostname.slice(1, -1) : target.hostname;
  return new Promise((resolve, reject) => {
    for (const signal of signals) signal.throwIfAborted();
    if (isIP(host) !== 0 && !policy.allowPrivate && !isPublicAddress(host))
      return reject(refusal(target, host, [host]));

    const lookup: LookupFunction = (hostname, options, callback) => {
      (policy.lookup ?? systemLookup)(hostname).then(
        (addresses) => {
          const allowed = policy.allowPrivate
            ? addresses
            : addresses.filter(({ address }) => isPublicAddress(address));
          const first = allowed[0];
          if (!first) {
            const all = addresses.map(({ address }) => address);
            const error = all.length > 0 ? refusal(target, host, all) : noAddress(hostname);
            callback(error, '', 0);
          } else if (options.all) callback(null, [...allowed]);
          else callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      );
    };

    const options = { host, port: target.port, lookup, noDelay: true };
    const socket = target.tls
      ? connectTls({
          ...options,
          ...(isIP(host) === 0 ? { servername: host.replace(/\.$/, '') } : {}),
          ALPNProtocols: ['http/1.1'],
          rejectUnauthorized: !target.tls.insecure,
        })
      : connectTcp(options);

    const settle = (): void => {
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
      socket.off('error', onError);
    };
    const onAbort = (): void => {
      settle();
      socket.on('error', () => {});
      socket.destroy();
      reject(signals.find(({ aborted }) => aborted)?.reason);
    };
    const onError = (error: Error): void => {
      settle();
      socket.on('error', () => {});
      socket.destroy();
      reject(error instanceof CaptureFault ? error : connectFault(error, target));
    };
    // Not AbortSignal.any: on Node 20 each leaves something behind on a signal that lives long.
    for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
    socket.on('error', onError);
    socket.once(target.tls ? 'secureConnect' : 'connect', () => {
      // The socket's own word on whom it reached: holds even if Node one day resolves by another road.
      const reached = socket.remoteAddress;
      if (!policy.allowPrivate && reached !== undefined && !isPublicAddress(reached))
        return onError(refusal(target, host, [reached]));
      settle();
      resolve(socket);
    });
  });
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
