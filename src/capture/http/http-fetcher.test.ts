import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostileServer, startHostileServer } from '../../../test/sites/hostile-server.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { FetchRequest } from '../../ports/fetcher.ts';
import { openHttpFetcher } from './http-fetcher.ts';

const MB = 1024 * 1024;
let server: HostileServer;
let spoolDir: string;
const fetcher = openHttpFetcher({ allowPrivate: true });
const ask = (url: string, more: Partial<FetchRequest> = {}) =>
  fetcher.fetch({ url, userAgent: 'test-agent', timeLimit: 20_000, sizeLimit: 10 * MB, ...more });
const get = (route: string, more: Partial<FetchRequest> = {}) => ask(`${server.url}${route}`, more);
const latin1 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('latin1');
const portOf = (web: Server) => (web.address() as AddressInfo).port;
const wire = ({ response }: Exchange) => latin1(response.head) + latin1(response.body.bytes);

beforeAll(async () => {
  server = await startHostileServer();
  spoolDir = await mkdtemp(path.join(tmpdir(), 'daguerre-'));
});
afterAll(async () => {
  await fetcher.close();
  await server.close();
  await rm(spoolDir, { recursive: true });
});

describe('exact bytes', () => {
  test('GET /ok?q=1#f => request head as the server saw it, URL without fragment', async () => {
    const exchange = await get('/ok?q=1#f', { headers: { 'If-None-Match': '"é"', accept: 'text/plain' } });
    expect(latin1(exchange.request.head)).toBe(server.requests.at(-1));
    expect(latin1(exchange.request.head)).toBe(
      [
        'GET /ok?q=1 HTTP/1.1',
        `Host: ${new URL(server.url).host}`,
        'User-Agent: test-agent',
        'Accept-Encoding: gzip, deflate, br',
        'If-None-Match: "\xe9"',
        'accept: text/plain',
        'Connection: keep-alive',
        '\r\n',
      ].join('\r\n'),
    );
    expect(exchange.url).toBe(`${server.url}/ok?q=1`);
    expect(exchange.protocols).toEqual(['http/1.1']);
    expect(exchange.ip).toBe('127.0.0.1');
    expect(exchange.finishedAt).toBeGreaterThanOrEqual(exchange.startedAt);
  });

  test('chunked answer => chunk lines, extension and trailer kept', async () => {
    const exchange = await get('/chunked');
    expect(latin1(exchange.response.body.bytes)).toBe('5;a=b\r\nHello\r\n6\r\n world\r\n0\r\nX-T: t\r\n\r\n');
    expect(exchange.response.framing).toBe('chunked');
    expect(exchange.truncated).toBeUndefined();
  });

  test('gzip answer => not decoded', async () => {
    const { response } = await get('/gzip');
    expect([...(response.body.bytes?.subarray(0, 2) ?? [])]).toEqual([0x1f, 0x8b]);
  });

  test('100 and 103 before 200 => the head of the 200', async () => {
    const { response } = await get('/interim');
    expect(response.status).toBe(200);
    expect(latin1(response.head)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(latin1(response.body.bytes)).toContain('Hello');
  });

  test('HTTP/1.0 ended by close => whole, protocol http/1.0', async () => {
    const exchange = await get('/http10');
    expect(exchange.protocols).toEqual(['http/1.0']);
    expect(wire(exchange)).toMatch(/^HTTP\/1\.0 200 OK[\s\S]*<p>Hello$/);
    expect(exchange.truncated).toBeUndefined();
  });

  test('answer cut into single bytes by the network => the same bytes', async () => {
    const whole = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n';
    const slow = createServer((socket) => {
      socket.setNoDelay(true);
      let at = 0;
      const timer = setInterval(() => {
        if (at < whole.length) socket.write(whole.charAt(at++));
        else clearInterval(timer);
      }, 1);
      socket.on('error', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const exchange = await ask(`http://127.0.0.1:${portOf(slow)}/`);
    expect(wire(exchange)).toBe(whole);
    expect(exchange.truncated).toBeUndefined();
    slow.close();
  });

  test('If-None-Match that matches => 304 without a body, connection kept', async () => {
    const before = server.connections;
    const first = await get('/conditional');
    const again = await get('/conditional', { headers: { 'If-None-Match': '"v1"' } });
    await get('/ok');
    expect([first.response.status, again.response.status]).toEqual([200, 304]);
    expect(again.response.body.size).toBe(0);
    expect(again.truncated).toBeUndefined();
    expect(server.connections - before).toBeLessThanOrEqual(1);
  });
});

describe('connections', () => {
  test('20 requests one after the other => one connection', async () => {
    await get('/ok');
    const before = server.connections;
    for (let i = 0; i < 20; i++) await get('/ok');
    expect(server.connections).toBe(before);
  });

  test('20 requests at once => each its own answer', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => get(`/redirect/${i}`)));
    const locations = answers.map(
      ({ response }) => response.headers.find(([name]) => name === 'Location')?.[1],
    );
    expect(locations).toEqual(Array.from({ length: 20 }, (_, i) => `/redirect/${i + 1}`));
  });

  test('kept connection reset before any byte => asked again on a fresh one', async () => {
    const own = openHttpFetcher({ allowPrivate: true });
    const stale = { url: `${server.url}/stale`, userAgent: 'x', timeLimit: 20_000, sizeLimit: MB };
    await own.fetch(stale);
    const before = server.connections;
    const again = await own.fetch(stale);
    expect(again.response.status).toBe(200);
    expect(server.connections).toBe(before + 1);
    await own.close();
  });

  test('self-signed certificate => tls-failure with the reason', async () => {
    await expect(ask(`${server.tlsUrl}/ok`)).rejects.toMatchObject({
      kind: 'tls-failure',
      message: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT'),
    });
  });

  test('self-signed certificate with insecureTls => captured, protocols name TLS', async () => {
    const own = openHttpFetcher({ allowPrivate: true, insecureTls: true });
    const exchange = await own.fetch({
      url: `${server.tlsUrl}/ok`,
      userAgent: 'x',
      timeLimit: 20_000,
      sizeLimit: MB,
    });
    expect(exchange.response.status).toBe(200);
    expect(exchange.protocols).toEqual(['http/1.1', 'tls/1.3']);
    await own.close();
  });

  test('plain server asked over https => tls-failure', async () => {
    const web = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    await expect(ask(`https://127.0.0.1:${portOf(web)}/`)).rejects.toMatchObject({ kind: 'tls-failure' });
    web.close();
  });

  test('closed fetcher => exchange under way fails, later ones are refused', async () => {
    const own = openHttpFetcher({ allowPrivate: true });
    const hang = { url: `${server.url}/hang`, userAgent: 'x', timeLimit: 20_000, sizeLimit: MB };
    const seen = server.requests.length;
    const underWay = expect(own.fetch(hang)).rejects.toMatchObject({ kind: 'connection-failed' });
    while (server.requests.length === seen) await new Promise((resolve) => setTimeout(resolve, 5));
    await own.close();
    await underWay;
    await expect(own.fetch(hang)).rejects.toMatchObject({ kind: 'internal' });
  });
});

describe('large bodies', () => {
  test('300 MB page => spooled, memory bounded, released', { timeout: 120_000 }, async () => {
    const own = openHttpFetcher({ allowPrivate: true, spoolDir });
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    const exchange = await own.fetch({
      url: `${server.url}/large/300`,
      userAgent: 'x',
      timeLimit: 100_000,
      sizeLimit: 400 * MB,
    });
    clearInterval(watch);
    const { body } = exchange.response;
    expect(body.size).toBe(300 * MB);
    expect(body.bytes).toBeUndefined();
    expect(exchange.truncated).toBeUndefined();
    // Server and client share this process; 300 MB held anywhere would show.
    expect(peak - before).toBeLessThan(200 * MB);
    for (let round = 0; round < 2; round++) {
      let read = 0;
      for await (const chunk of body.chunks()) read += chunk.byteLength;
      expect(read).toBe(300 * MB);
    }
    await body.release();
    await body.release();
    expect(await readdir(spoolDir)).toEqual([]);
    await own.close();
  });

  test('spooled body => the bytes of the wire', async () => {
    const own = openHttpFetcher({ allowPrivate: true, spoolDir });
    const { response, truncated } = await own.fetch({
      url: `${server.url}/large/16`,
      userAgent: 'x',
      timeLimit: 20_000,
      sizeLimit: 3 * MB + 5,
    });
    expect(truncated).toBe('length');
    const parts: Uint8Array[] = [];
    for await (const chunk of response.body.chunks()) parts.push(chunk);
    const expected = Buffer.alloc(3 * MB + 5, '0123456789abcde\n');
    expect(Buffer.concat(parts).equals(expected)).toBe(true);
    await response.body.release();
    await own.close();
  });

  test('kept connection after a spooled body => serves the next request', async () => {
    const own = openHttpFetcher({ allowPrivate: true, spoolDir });
    const request = { userAgent: 'x', timeLimit: 20_000, sizeLimit: 99 * MB };
    const before = server.connections;
    for (let round = 0; round < 5; round++) {
      const large = await own.fetch({ url: `${server.url}/large/${3 + round}`, ...request });
      expect(large.response.body.size).toBe((3 + round) * MB);
      await large.response.body.release();
      expect((await own.fetch({ url: `${server.url}/ok`, ...request })).response.status).toBe(200);
    }
    expect(server.connections).toBe(before + 1);
    await own.close();
  });

  test('aborted while spooling => no file stays behind', async () => {
    const own = openHttpFetcher({ allowPrivate: true, spoolDir });
    const stop = new AbortController();
    const fetching = own.fetch({
      url: `${server.url}/endless`,
      userAgent: 'x',
      timeLimit: 20_000,
      sizeLimit: 4000 * MB,
      signal: stop.signal,
    });
    const failed = expect(fetching).rejects.toThrow('enough');
    while ((await readdir(spoolDir)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new Error('enough'));
    await failed;
    expect(await readdir(spoolDir)).toEqual([]);
    await own.close();
  });

  test('spool folder that cannot be made => internal fault naming it', async () => {
    const own = openHttpFetcher({ allowPrivate: true, spoolDir: '/dev/null/spool' });
    const request = { url: `${server.url}/large/4`, userAgent: 'x', timeLimit: 20_000, sizeLimit: 9 * MB };
    await expect(own.fetch(request)).rejects.toMatchObject({
      kind: 'internal',
      message: expect.stringContaining('/dev/null'),
    });
    await own.close();
  });
});
