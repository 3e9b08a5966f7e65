import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

export interface LoopbackProxy {
  readonly port: number;
  /** `host:port` of each tunnel asked for, as it was asked. */
  readonly asked: readonly string[];
  /** What it was told to prove who asks: `user:password`. */
  readonly credentials: readonly string[];
  /** Breaks every connection, and takes no more. */
  close(): Promise<void>;
}

type Speak = (client: Socket, log: { asked: string[]; credentials: string[] }, to: string) => void;

/** Every tunnel leads to this port on loopback, whatever was asked for: no test leaves the machine. */
async function started(to: number, speak: Speak): Promise<LoopbackProxy> {
  const log = { asked: [] as string[], credentials: [] as string[] };
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => {});
    speak(client, log, String(to));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    ...log,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function join(client: Socket, to: string, greet: () => void): void {
  const upstream = connect(Number(to), '127.0.0.1', () => {
    greet();
    client.pipe(upstream);
    upstream.pipe(client);
  });
  upstream.on('error', () => client.destroy());
  client.once('close', () => upstream.destroy());
}

/** CONNECT alone; `status`: what it answers in place of a tunnel. */
export const startHttpProxy = (to: number, status?: number): Promise<LoopbackProxy> =>
  started(to, (client, { asked, credentials }) => {
    client.once('data', (head) => {
      const text = head.toString('latin1');
      asked.push(/^CONNECT (\S+)/.exec(text)?.[1] ?? text);
      const basic = /proxy-authorization: basic (\S+)/i.exec(text)?.[1];
      if (basic) credentials.push(Buffer.from(basic, 'base64').toString('utf8'));
      if (status === undefined) join(client, String(to), () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      else client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    });
  });

/** RFC 1928, with user and password (RFC 1929) where the client offers them. `reply`: a code in place of a tunnel. */
export const startSocksProxy = (to: number, reply = 0): Promise<LoopbackProxy> =>
  started(to, (client, { asked, credentials }) => {
    let step: 'methods' | 'password' | 'request' = 'methods';
    client.on('data', (bytes) => {
      if (step === 'methods') {
        const wantsPassword = bytes.subarray(2).includes(2);
        step = wantsPassword ? 'password' : 'request';
        client.write(Buffer.from([5, wantsPassword ? 2 : 0]));
      } else if (step === 'password') {
        const userEnd = 2 + (bytes[1] ?? 0);
        credentials.push(`${bytes.toString('utf8', 2, userEnd)}:${bytes.toString('utf8', userEnd + 1)}`);
        step = 'request';
        client.write(Buffer.from([1, 0]));
      } else {
        client.removeAllListeners('data');
        asked.push(destination(bytes));
        const answer = Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]);
        if (reply === 0) join(client, String(to), () => client.write(answer));
        else client.end(answer);
      }
    });
  });

function destination(bytes: Buffer): string {
  const kind = bytes[3];
  const port = bytes.readUInt16BE(bytes.length - 2);
  if (kind === 3) return `${bytes.toString('latin1', 5, bytes.length - 2)}:${port}`;
  return `${[...bytes.subarray(4, bytes.length - 2)].join('.')}:${port}`;
}
