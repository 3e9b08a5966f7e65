import { Agent, createServer as createWeb, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HostileServer, startHostileServer } from '../../../test/sites/hostile-server.ts';
import { type GuardProxy, openGuardProxy } from './guard-proxy.ts';

let server: HostileServer;
let proxy: GuardProxy;
const toLoopback = async () => [{ address: '127.0.0.1', family: 4 }];

beforeEach(async () => {
  server = await startHostileServer();
  proxy = await openGuardProxy({ allowPrivate: true, lookup: toLoopback });
});
afterEach(async () => {
  await proxy.close();
  await server.close();
});

const dial = (to: GuardProxy): Socket => {
  const socket = connect(Number(new URL(to.url).port), '127.0.0.1');
  socket.on('error', () => {});
  return socket;
};

/** Everything received until the connection closes, or `until` appears. */
function receive(socket: Socket, until?: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const onData = (piece: Buffer) => {
      text += piece.toString('latin1');
      if (until !== undefined && text.includes(until)) done();
    };
    const done = () => {
      socket.off('data', onData);
      resolve(text);
    };
    socket.on('data', onData).once('close', done);
  });
}

async function exchange(to: GuardProxy, sent: string, until?: string): Promise<string> {
  const socket = dial(to);
  socket.write(sent, 'latin1');
  const text = await receive(socket, until);
  socket.destroy();
  return text;
}

describe('absolute form', () => {
  test('GET http://… => origin form, Proxy- fields dropped, all else verbatim', async () => {
    const { host } = new URL(server.url);
    const sent = `GET ${server.url}/ok?a=|b HTTP/1.1\r\nHost: ${host}\r\nProxy-Connection: keep-alive\r\nx-ODD:  1\r\n\r\n`;
    const answer = await exchange(proxy, sent, '<p>Hello');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/html/);
    expect(server.requests).toEqual([`GET /ok?a=|b HTTP/1.1\r\nHost: ${host}\r\nx-ODD:  1\r\n\r\n`]);
  });

  test('two requests on one connection => one connection upstream', async () => {
    const socket = dial(proxy);
    for (let i = 0; i < 2; i++) {
      socket.write(`GET ${server.url}/ok HTTP/1.1\r\nHost: x\r\n\r\n`);
      await receive(socket, '<p>Hello');
    }
    expect(server.connections).toBe(1);
    expect(server.requests.length).toBe(2);
    socket.destroy();
  });

  test('second request to another host => goes there', async () => {
    const other = await startHostileServer();
    const socket = dial(proxy);
    for (const { url } of [server, other]) {
      socket.write(`GET ${url}/ok HTTP/1.1\r\nHost: x\r\n\r\n`);
      await receive(socket, '<p>Hello');
    }
    expect([server.requests.length, other.requests.length]).toEqual([1, 1]);
    socket.destroy();
    await other.close();
  });

  test('answer ended by close, broken chunks, garbage => passed on as they are', async () => {
    const get = (route: string, until?: string) =>
      exchange(proxy, `GET ${server.url}${route} HTTP/1.1\r\nHost: x\r\n\r\n`, until);
    expect(await get('/close-delimited')).toMatch(/<p>Hello$/);
    expect(await get('/broken-chunk', 'world')).toMatch(/5\r\nHello\r\nzz\r\nworld$/);
    expect(await get('/garbage')).toBe('\x00\x01\x1b[31mSSH-2.0-nonsense\x9b\r\n');
    expect(await get('/header-injection', 'world')).toContain('X-Nul: a\0b\r\n');
  });

  test('32 MB answer => whole', async () => {
    const socket = dial(proxy);
    socket.write(`GET ${server.url}/large/32 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const wanted = 32 * 1024 * 1024;
    let size = 0;
    for await (const piece of socket) {
      size += (piece as Buffer).length;
      if (size > wanted) break;
    }
    expect(size).toBeGreaterThan(wanted);
  });

  test('POST bodies with a length and in chunks, keep-alive => received whole', async () => {
    const web = createWeb((incoming, answer) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => answer.end(String(Buffer.concat(parts).length)));
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const { port } = web.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (headers: Record<string, string>, body: Buffer) =>
      new Promise<string>((resolve, reject) => {
        const options = { host: '127.0.0.1', port: Number(new URL(proxy.url).port), agent, method: 'POST' };
        const path = `http://site.example:${port}/`;
        const outgoing = httpRequest({ ...options, path, headers }, (incoming) => {
          let text = '';
          incoming.on('data', (part) => {
            text += part;
          });
          incoming.on('end', () => resolve(text));
        });
        outgoing.on('error', reject);
        outgoing.write(body.subarray(0, 10));
        outgoing.end(body.subarray(10));
      });
    const body = Buffer.alloc(3_000_000, 'x');
    expect(await post({ 'Content-Length': String(body.length) }, body)).toBe('3000000');
    expect(await post({ 'Transfer-Encoding': 'chunked' }, body)).toBe('3000000');
    expect(await post({ 'Content-Length': '20' }, body.subarray(0, 20))).toBe('20');
    agent.destroy();
    web.close();
  });

  test('Upgrade => bytes pass both ways', async () => {
    const web = createWeb();
    web.on('upgrade', (_request: IncomingMessage, socket: Socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n');
      socket.pipe(socket);
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const { port } = web.address() as AddressInfo;
    const socket = dial(proxy);
    socket.write(
      `GET http://a.example:${port}/ HTTP/1.1\r\nHost: a\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n`,
    );
    await receive(socket, '\r\n\r\n');
    socket.write('\x81\x00GET http://nonsense', 'latin1');
    expect(await receive(socket, 'nonsense')).toBe('\x81\x00GET http://nonsense');
    socket.destroy();
    web.closeAllConnections();
    web.close();
  });
});

describe('CONNECT', () => {
  test('TLS inside => the answer, certificate of the server', async () => {
    const socket = dial(proxy);
    socket.write(
      `CONNECT site.example:${new URL(server.tlsUrl).port} HTTP/1.1\r\nHost: site.example\r\n\r\n`,
    );
    expect(await receive(socket, '\r\n\r\n')).toBe('HTTP/1.1 200 Connection Established\r\n\r\n');
    const tls = connectTls({ socket, rejectUnauthorized: false });
    tls.write('GET /ok HTTP/1.1\r\nHost: site.example\r\n\r\n');
    expect(await receive(tls, '<p>Hello')).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(tls.getPeerCertificate().subject.CN).toBe('localhost');
    tls.destroy();
  });

  test('nobody listens => 502 that names the fault', async () => {
    const gone = await startHostileServer();
    await gone.close();
    const answer = await exchange(proxy, `CONNECT 127.0.0.1:${new URL(gone.url).port} HTTP/1.1\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\nDaguerre-Refused: connection-refused\r\n/);
  });
});

describe('address rules', () => {
  test.each([
    ['GET', (url: string) => `GET ${url}/ok HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['CONNECT', (url: string) => `CONNECT ${new URL(url).host} HTTP/1.1\r\n\r\n`],
    ['GET of a name', (url: string) => `GET http://rebind.example:${new URL(url).port}/ HTTP/1.1\r\n\r\n`],
    ['CONNECT to a decimal', (url: string) => `CONNECT 2130706433:${new URL(url).port} HTTP/1.1\r\n\r\n`],
    ['CONNECT to IPv6', (url: string) => `CONNECT [::ffff:127.0.0.1]:${new URL(url).port} HTTP/1.1\r\n\r\n`],
  ])('%s to loopback => 403, reported, never connected', async (_name, sent) => {
    const guard = await openGuardProxy({ lookup: toLoopback });
    const request = sent(server.url);
    const answer = await exchange(guard, request);
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\nDaguerre-Refused: private-address\r\n/);
    const authority = /(?:http:\/\/|CONNECT )([^ /]+)/.exec(request)?.[1];
    // A decimal address is stored under the spelling the browser used.
    if (!authority?.startsWith('2130')) expect(guard.faultOf(`http://${authority}/`)).toBe('private-address');
    expect(guard.ipOf(`http://${authority}/`)).toBeUndefined();
    expect(server.connections).toBe(0);
    await guard.close();
  });
});

describe('weird input', () => {
  test.each([
    'nonsense\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET https://example.org/ HTTP/1.1\r\n\r\n',
    'GET file:///etc/passwd HTTP/1.1\r\n\r\n',
    'CONNECT :::::: HTTP/1.1\r\n\r\n',
    'CONNECT  HTTP/1.1\r\n\r\n',
    'GET http://[::1 HTTP/1.1\r\n\r\n',
    `GET http://a.example/${'x'.repeat(300_000)}`,
    'CONNECT a:99999 HTTP/1.1\r\n\r\n',
  ])('%j => 400', async (sent) => {
    expect(await exchange(proxy, sent)).toMatch(/^HTTP\/1\.1 400 Bad Request/);
  });

  test('300,000 empty lines before a request => passed over', async () => {
    const sent = `${'\r\n'.repeat(300_000)}GET ${server.url}/ok HTTP/1.1\r\nHost: x\r\n\r\n`;
    expect(await exchange(proxy, sent, '<p>Hello')).toContain('200 OK');
  });

  test('closing at any point => the proxy lives on', async () => {
    const sent = `GET ${server.url}/ok HTTP/1.1\r\nHost: x\r\n\r\n`;
    for (let at = 0; at <= sent.length; at += 5) {
      const socket = dial(proxy);
      socket.write(sent.slice(0, at));
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.resetAndDestroy();
    }
    expect(await exchange(proxy, sent, '<p>Hello')).toContain('200 OK');
  });

  test('close with idle and busy connections => all are closed', async () => {
    const own = await openGuardProxy({ allowPrivate: true });
    const idle = dial(own);
    const busy = dial(own);
    busy.write(`GET ${server.url}/drip HTTP/1.1\r\nHost: x\r\n\r\n`);
    await receive(busy, '.');
    const closed = [idle, busy].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    await own.close();
    await Promise.all(closed);
  });
});
