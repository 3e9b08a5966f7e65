import { setMaxListeners } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { CaptureFault, type FaultKind } from '../../model/fault.ts';
import { type AddressPolicy, guardedConnect } from './guarded-connect.ts';
import { ProxySession } from './proxy-session.ts';

export interface GuardProxy {
  /** For `--proxy-server`, e.g. http://127.0.0.1:40123 */
  readonly url: string;
  /** The address at which the host of a URL was last reached. */
  ipOf(url: string): string | undefined;
  /** Why the host of a URL was last not reached: through a tunnel the browser does not learn it. */
  faultOf(url: string): FaultKind | undefined;
  /** Whether the last answer from a URL broke off, as far as the proxy can see: not inside TLS. */
  wasCut(url: string): boolean;
  close(): Promise<void>;
}

/** The result of the last connection to a host and port. */
type Reached = { readonly ip: string | undefined } | { readonly fault: FaultKind };

/** Hosts and ports remembered, and answers that broke off: the latest of each. */
const REMEMBERED = 1000;
/** Milliseconds; the browser's own limits may make it give up earlier or later. */
const CONNECT_TIME = 30 * 1000;

/**
 * A forward proxy on loopback that the browser uses, so that it obeys the address rules of the HTTP fetcher:
 * the check is made on the address connected to, which a request filter inside the browser cannot see.
 * Requests are parsed just enough to route them; answers pass as raw bytes.
 */
export async function openGuardProxy(options: AddressPolicy = {}): Promise<GuardProxy> {
  const sockets = new Set<Socket>();
  const reached = new Map<string, Reached>();
  const cut = new Set<string>();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const note = (authority: string, what: Reached): void => {
    reached.delete(authority);
    reached.set(authority, what);
    const [oldest] = reached.keys();
    if (reached.size > REMEMBERED && oldest !== undefined) reached.delete(oldest);
  };

  const connect = async (hostname: string, port: number): Promise<Socket> => {
    const authority = `${hostname}:${port}`;
    const signals = [closing.signal, AbortSignal.timeout(CONNECT_TIME)];
    try {
      const { socket, ip } = await guardedConnect({ hostname, port, url: authority }, options, signals);
      note(authority, { ip });
      return keep(socket);
    } catch (error) {
      note(authority, { fault: error instanceof CaptureFault ? error.kind : 'timeout' });
      throw error;
    }
  };

  const server = createServer({ noDelay: true }, (client) => {
    new ProxySession(keep(client), connect, (url, isWhole) => {
      if (isWhole) cut.delete(url);
      else remember(cut, url);
    }).start();
  });
  // Accept errors (no file descriptors left) are ignored; the browser sees a refused connection and reports
  // it.
  server.on('error', () => {});
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    ipOf(url) {
      const known = reached.get(authorityOf(url));
      return known && 'ip' in known ? known.ip : undefined;
    },
    faultOf(url) {
      const known = reached.get(authorityOf(url));
      return known && 'fault' in known ? known.fault : undefined;
    },
    wasCut: (url) => cut.has(url),
    close: () =>
      new Promise((resolve) => {
        closing.abort(new Error('the proxy was closed'));
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function remember(urls: Set<string>, url: string): void {
  urls.add(url);
  const [oldest] = urls;
  if (urls.size > REMEMBERED && oldest !== undefined) urls.delete(oldest);
}

function authorityOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' || protocol === 'wss:' ? 443 : 80)}`;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}
