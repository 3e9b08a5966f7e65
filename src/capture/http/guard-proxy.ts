import { setMaxListeners } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { CaptureFault } from '../../model/fault.ts';
import { type AddressPolicy, guardedConnect } from './guarded-connect.ts';
import { ProxySession } from './proxy-session.ts';

export interface Refusal {
  /** Host and port that the browser asked for. */
  readonly authority: string;
  readonly reason: string;
}

export interface GuardProxyOptions extends AddressPolicy {
  readonly onRefusal?: (refusal: Refusal) => void;
}

export interface GuardProxy {
  /** For `--proxy-server`, e.g. http://127.0.0.1:40123 */
  readonly url: string;
  /** The latest refusals, oldest first: at most 1000. `onRefusal` sees all. */
  readonly refusals: readonly Refusal[];
  close(): Promise<void>;
}

const REMEMBERED = 1000;
/** Milliseconds; the browser gives up sooner or later by its own limits. */
const CONNECT_TIME = 30 * 1000;

/**
 * A forward proxy on loopback through which the browser goes, so that it obeys the address rules of the HTTP
 * fetcher: the check is made on the address connected to, which a request filter inside the browser cannot
 * see. Requests are read just enough to route them; answers pass as raw bytes.
 */
export async function openGuardProxy(options: GuardProxyOptions = {}): Promise<GuardProxy> {
  const sockets = new Set<Socket>();
  const refusals: Refusal[] = [];
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const refuse = (refusal: Refusal): void => {
    if (refusals.length >= REMEMBERED) refusals.shift();
    refusals.push(refusal);
    options.onRefusal?.(refusal);
  };

  const connect = async (hostname: string, port: number): Promise<Socket> => {
    const authority = `${hostname}:${port}`;
    const signals = [closing.signal, AbortSignal.timeout(CONNECT_TIME)];
    try {
      return keep(await guardedConnect({ hostname, port, url: authority }, options, signals));
    } catch (error) {
      if (error instanceof CaptureFault && error.kind === 'private-address')
        refuse({ authority, reason: error.message });
      throw error;
    }
  };

  const server = createServer({ noDelay: true }, (client) => {
    new ProxySession(keep(client), connect).start();
  });
  // Accept errors (no file descriptors left) pass; the browser sees a refused connection and says so.
  server.on('error', () => {});
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    refusals,
    close: () =>
      new Promise((resolve) => {
        closing.abort(new Error('the proxy was closed'));
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
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
