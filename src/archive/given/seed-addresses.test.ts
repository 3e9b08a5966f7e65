import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { settledSeeds, settledUrl } from './seed-addresses.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Not a loopback name, but it resolves to loopback. */
const HOST = 'seed.test';

function settling() {
  const said: string[] = [];
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  return { said, options: { allowPrivate: true, lookup, say: (sentence: string) => said.push(sentence) } };
}

it('a server without TLS => http, and it is said', async () => {
  const port = await listening(createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
  const { said, options } = settling();
  const url = await settledUrl({ url: `https://${HOST}:${port}/a`, assumed: true }, options);
  expect(url).toBe(`http://${HOST}:${port}/a`);
  expect(said.join()).toMatch(/does not answer \(.+\): asking http:/);
});

it('a server with TLS, its certificate signed by itself => https', async () => {
  const file = (name: string) => readFileSync(new URL(`../../../test/sites/${name}`, import.meta.url));
  const tls = createTlsServer({ key: file('self-signed-key.pem'), cert: file('self-signed-cert.pem') });
  const port = await listening(tls);
  const { said, options } = settling();
  const url = `https://${HOST}:${port}/`;
  expect(await settledUrl({ url, assumed: true }, options)).toBe(url);
  expect(said).toEqual([]);
});

it('nobody there at all => https, for the crawl to report', async () => {
  const port = await listening(createServer());
  await new Promise((resolve) => servers.pop()?.close(resolve));
  const { said, options } = settling();
  const url = `https://${HOST}:${port}/`;
  expect(await settledUrl({ url, assumed: true }, options)).toBe(url);
  expect(said).toEqual([]);
});

it('a scheme that was given, a loopback address, a private one that is not allowed => nobody is asked', async () => {
  let connections = 0;
  const port = await listening(
    createServer((socket) => {
      connections++;
      socket.destroy();
    }),
  );
  const { options } = settling();
  const seeds = [`https://${HOST}:${port}/`, `127.0.0.1:${port}`, 'not a URL'];
  const settled = async (...urls: string[]) =>
    (
      await settledSeeds(
        urls.map((url) => ({ url })),
        options,
      )
    ).map(({ url }) => url);
  expect(await settled(...seeds)).toEqual([seeds[0], `http://127.0.0.1:${port}/`, 'not a URL']);
  const refused = { ...options, allowPrivate: false };
  expect(await settledSeeds([{ url: `${HOST}:${port}` }], refused)).toEqual([
    { url: `https://${HOST}:${port}/` },
  ]);
  expect(connections).toBe(0);
});
