import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { ANSWERS, type HostileRequest, plain } from './hostile-answers.ts';

/**
 * A server that misbehaves in one way per path (see hostile-answers.ts), written on bare sockets so that
 * every byte is as stated. `/` lists the paths as links.
 */
export interface HostileServer {
  /** http://127.0.0.1:port, without a slash at the end. */
  readonly url: string;
  /** The same answers over TLS, with a certificate that nobody signed but itself. */
  readonly tlsUrl: string;
  /** Every request head received, verbatim (latin1), oldest first. */
  readonly requests: readonly string[];
  /** Connections accepted so far. */
  readonly connections: number;
  close(): Promise<void>;
}

/** The key pair is made for these tests and guards nothing. */
const pem = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));

/** For clients that are to trust the TLS side. */
export const SELF_SIGNED_CERTIFICATE: Buffer = pem('self-signed-cert.pem');

export async function startHostileServer(): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let connections = 0;
  const onConnection = (socket: Socket): void => {
    connections++;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    let served = 0;
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end + 4);
        text = text.slice(end + 4);
        requests.push(head);
        answer(socket, head, served++);
      }
    });
  };
  const web = createServer(onConnection);
  const key = pem('self-signed-key.pem');
  const tls = createTlsServer({ key, cert: SELF_SIGNED_CERTIFICATE }, onConnection);
  tls.on('tlsClientError', () => {});
  const [port, tlsPort] = await Promise.all([listen(web), listen(tls)]);
  return {
    url: `http://127.0.0.1:${port}`,
    tlsUrl: `https://127.0.0.1:${tlsPort}`,
    requests,
    get connections() {
      return connections;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([web, tls].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function answer(socket: Socket, head: string, served: number): void {
  const [line = '', ...fields] = head.trimEnd().split('\r\n');
  const url = new URL(line.split(' ')[1] ?? '/', 'http://hostile.invalid');
  const headers = new Map(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
    }),
  );
  const request: HostileRequest = { url, headers, served };
  const [, name = '', rest = ''] = /^\/([^/]*)\/?(.*)$/.exec(url.pathname) ?? [];
  const hostile = ANSWERS[name];
  if (name === '') socket.write(plain(indexPage(), { 'Content-Type': 'text/html' }));
  else if (hostile && Object.hasOwn(ANSWERS, name)) hostile(socket, request, rest);
  else socket.write(plain('no such fault', {}, '404 Not Found'));
}

function indexPage(): string {
  const links = Object.keys(ANSWERS).map((name) => `<li><a href="/${name}">${name}</a></li>`);
  return `<!doctype html><title>Hostile server</title><ul>${links.join('')}</ul>`;
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}
