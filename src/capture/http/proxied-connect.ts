import { isIP, type Socket } from 'node:net';
import { CaptureFault, type FaultKind } from '../../model/fault.ts';
import { parseHttpHead } from '../../model/http-message.ts';
import { HeadBuffer } from './head-buffer.ts';
import { HEAD_LIMIT } from './response-reader.ts';
import { proxyName, type WebProxy } from './ways-out.ts';

/** Where a proxy is asked to connect to: an address, or with --proxy-dns a name. */
export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
  /** Named in faults. */
  readonly url: string;
}

/**
 * Asks a proxy, over a connection to it, for a tunnel. The socket then talks to the target. If it takes too long, the
 * caller closes the socket.
 */
export async function openTunnel(socket: Socket, proxy: WebProxy, target: ProxyTarget): Promise<void> {
  const host = target.host.replace(/^\[|\]$/g, '');
  if (proxy.scheme === 'socks5') await socksTunnel(socket, proxy, { ...target, host });
  else await httpTunnel(socket, proxy, { ...target, host });
}

/** What the proxy reports about the target, in the words of RFC 1928; anything else is a failure of the proxy itself. */
const SOCKS_FAULTS: readonly (readonly [RegExp, FaultKind])[] = [
  [/ConnectionRefused/, 'connection-refused'],
  [/HostUnreachable|NetworkUnreachable|TTLExpired/, 'connection-failed'],
];

async function socksTunnel(socket: Socket, proxy: WebProxy, { host, port, url }: ProxyTarget): Promise<void> {
  const { credentials } = proxy;
  // Loaded by the first connection that needs it: most crawls have no proxy.
  const { SocksClient } = await import('socks');
  try {
    await SocksClient.createConnection({
      existing_socket: socket,
      command: 'connect',
      destination: { host, port },
      proxy: {
        host: proxy.hostname.replace(/^\[|\]$/g, ''),
        port: proxy.port,
        type: 5,
        ...(credentials && { userId: credentials.user, password: credentials.password }),
      },
    });
  } catch (error) {
    // The error carries the options, including credentials: only its message is passed on.
    const said = error instanceof Error ? error.message : String(error);
    const kind = SOCKS_FAULTS.find(([pattern]) => pattern.test(said))?.[1] ?? 'proxy-failed';
    throw new CaptureFault(kind, url, `the proxy ${proxyName(proxy)} did not connect: ${said}`);
  }
}

/** CONNECT for plain http as well: a proxy handed the request would look up the host by name. */
function httpTunnel(socket: Socket, proxy: WebProxy, { host, port, url }: ProxyTarget): Promise<void> {
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const { user, password } = proxy.credentials ?? {};
  const basic = user === undefined ? '' : Buffer.from(`${user}:${password}`).toString('base64');
  const lines = [
    `CONNECT ${authority} HTTP/1.1`,
    `Host: ${authority}`,
    ...(basic === '' ? [] : [`Proxy-Authorization: Basic ${basic}`]),
  ];
  return new Promise((resolve, reject) => {
    const buffer = new HeadBuffer();
    const settle = (): void => {
      socket.off('data', onData);
      socket.off('close', onClose);
    };
    const fail = (why: string): void => {
      settle();
      reject(new CaptureFault('proxy-failed', url, `the proxy ${proxyName(proxy)} ${why}`));
    };
    const onClose = (): void => fail('closed the connection without an answer');
    const onData = (piece: Buffer): void => {
      buffer.add(piece);
      const bytes = buffer.next();
      if (!bytes && buffer.size <= HEAD_LIMIT) return;
      const head = bytes && parseHttpHead(bytes);
      if (head?.kind !== 'response' || head.status < 200 || head.status > 299) {
        fail(head ? refusalText(head.status, port) : 'answered with something that is not HTTP');
        return;
      }
      settle();
      // Nobody reads it yet: whatever arrives now waits for the user of the tunnel.
      socket.pause();
      const early = buffer.rest();
      if (early.length > 0) socket.unshift(early);
      resolve();
    };
    socket.on('data', onData);
    socket.once('close', onClose);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  });
}

function refusalText(status: number, port: number): string {
  if (status === 407) return 'wants credentials: write http://user:password@host:port';
  const hint = port === 443 ? '' : `; perhaps it allows CONNECT to port 443 alone`;
  return `answered ${status} to CONNECT to port ${port}${hint}`;
}
