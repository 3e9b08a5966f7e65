/** Where hubs reach a watch: `<callback>/<id>` alone, on a port of its own, since hubs cannot log in. Nothing else is answered. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PortTaken } from './port-taken.ts';

/** What hubs ask of a watch: see archive/websub/subscriptions.ts. */
export interface HubCallbacks {
  verify(id: string, query: URLSearchParams): Promise<string | undefined>;
  delivered(id: string, body: Uint8Array, signature: string | undefined): 'heard' | 'ignored' | 'gone';
}

/** Bytes of a delivery that are read: its signature is over all of it, so a longer one cannot be checked. */
const MOST_BODY = 4 * 1024 * 1024;
/** Milliseconds for a whole request. */
const REQUEST_TIME = 30_000;
const CONNECTIONS = 100;

export interface WebSubServer {
  readonly port: number;
  close(): Promise<void>;
}

export async function startWebSubServer(
  callbacks: HubCallbacks,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<WebSubServer> {
  const server = createServer(
    { requestTimeout: REQUEST_TIME, headersTimeout: REQUEST_TIME },
    (request, response) => {
      answer(request, response, callbacks).catch(() => {
        if (!response.headersSent) end(response, 500);
        else response.destroy();
      });
    },
  );
  server.maxConnections = CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new PortTaken(`port ${port} of ${host} is taken: choose another for hubs with websub.port`)
          : error,
      ),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  callbacks: HubCallbacks,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://callback.invalid');
  const id = url.pathname.split('/').at(-1) ?? '';
  if (request.method === 'GET') {
    const challenge = await callbacks.verify(id, url.searchParams);
    return challenge === undefined ? end(response, 404) : end(response, 200, challenge);
  }
  if (request.method !== 'POST') return end(response, 405);
  const body = await bodyOf(request);
  if (!body) return end(response, 413);
  const signature = request.headers['x-hub-signature'];
  const heard = callbacks.delivered(id, body, typeof signature === 'string' ? signature : undefined);
  // Whether the signature was right is nobody's business but ours (WebSub §8).
  end(response, heard === 'gone' ? 410 : 202);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MOST_BODY) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function end(response: ServerResponse, status: number, text = ''): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  response.end(text);
}
