import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostileServer, startHostileServer } from '../../../test/sites/hostile-server.ts';
import type { FetchRequest } from '../../ports/fetcher.ts';
import { decodedBytes } from './decode-body.ts';
import { openHttpFetcher } from './http-fetcher.ts';

const MB = 1024 * 1024;
let server: HostileServer;
const fetcher = openHttpFetcher({ allowPrivate: true });
const ask = (url: string, more: Partial<FetchRequest> = {}) =>
  fetcher.fetch({ url, userAgent: 'test-agent', timeLimit: 20_000, sizeLimit: MB, ...more });
const get = (route: string, more: Partial<FetchRequest> = {}) => ask(`${server.url}${route}`, more);
const latin1 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('latin1');

beforeAll(async () => {
  server = await startHostileServer();
});
afterAll(async () => {
  await fetcher.close();
  await server.close();
});

describe('broken framing', () => {
  const PAGE = '<!doctype html><title>A page</title><p>Hello';
  test.each([
    ['/broken-chunk', '5\r\nHello\r\nzz\r\nworld', 'unspecified', 'chunked'],
    ['/not-chunked', PAGE, 'unspecified', 'chunked'],
    ['/cut-chunk', '40\r\nHello', 'disconnect', 'chunked'],
    ['/long-length', PAGE, 'disconnect', 'identity'],
    ['/short-length', 'Hello', undefined, 'identity'],
    ['/two-lengths', PAGE, 'unspecified', 'identity'],
    ['/same-length-twice', 'Hello', undefined, 'identity'],
    ['/length-and-chunks', '5\r\nHello\r\n0\r\n\r\n', undefined, 'chunked'],
    ['/bare-lf', 'Hello', undefined, 'identity'],
    ['/close-delimited', PAGE, undefined, 'identity'],
  ])('%s => body %j, truncated %s', async (route, body, truncated, framing) => {
    const exchange = await get(route);
    expect(latin1(exchange.response.body.bytes)).toBe(body);
    expect(exchange.truncated).toBe(truncated);
    expect(exchange.response.framing).toBe(framing);
    expect(exchange.response.status).toBe(200);
  });

  test('bytes past the length => the next answer is not disturbed', async () => {
    await get('/short-length');
    const { response } = await get('/ok');
    expect(latin1(response.head)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test('reset in the body => truncated disconnect with what came', async () => {
    const exchange = await get('/reset-body');
    expect(latin1(exchange.response.body.bytes)).toBe('Hello');
    expect(exchange.truncated).toBe('disconnect');
  });
});

describe('header blocks', () => {
  test('NUL, bare CR, no colon, space in a name => whole answer, verbatim head', async () => {
    const { response, truncated } = await get('/header-injection');
    expect(latin1(response.head)).toContain(
      'X-Nul: a\0b\r\nX-Cr: a\rSet-Cookie: evil=1\r\nno colon here\r\n',
    );
    expect(response.headers.map(([name]) => name)).not.toContain('Set-Cookie');
    expect(latin1(response.body.bytes)).toBe('Helloworld');
    expect(truncated).toBeUndefined();
  });

  test('Location with NUL and CR => 302, one field', async () => {
    const { response } = await get('/location-injection');
    expect(response.status).toBe(302);
    expect(response.headers).toEqual([
      ['Location', '/ok\0\rX-Evil: 1\xff'],
      ['Content-Length', '0'],
    ]);
  });

  test('200 KB of header fields => captured', async () => {
    const { response } = await get('/huge-headers/200');
    expect(response.headers.length).toBe(202);
    expect(latin1(response.body.bytes)).toBe('Hello');
  });

  test.each(['/huge-headers/1024', '/endless-head', '/endless-interim'])(
    '%s => malformed-response',
    async (route) => {
      await expect(get(route)).rejects.toMatchObject({
        kind: 'malformed-response',
        message: expect.stringContaining('larger than 262144 bytes'),
      });
    },
  );

  test('binary garbage => malformed-response, quoted without control characters', async () => {
    const fault = await get('/garbage').catch((error: Error) => error);
    expect(fault).toMatchObject({
      kind: 'malformed-response',
      message: expect.stringContaining(String.raw`\u0000\u0001\u001b[31mSSH-2.0-nonsense\u009b\r\n`),
    });
  });

  test('HTTP/0.9 page => malformed-response', async () => {
    await expect(get('/http09')).rejects.toMatchObject({ kind: 'malformed-response' });
  });

  test('invalid UTF-8 => bytes kept', async () => {
    const { response } = await get('/invalid-utf8');
    expect(latin1(response.body.bytes)).toBe('<p>caf\xe9 \xff\xfe \xc3</p>');
  });

  test('line break in a given header => refused, nothing sent', async () => {
    const before = server.requests.length;
    await expect(get('/ok', { headers: { 'X-A': 'a\r\nHost: evil' } })).rejects.toMatchObject({
      kind: 'internal',
    });
    expect(server.requests.length).toBe(before);
  });
});

describe('limits', () => {
  test.each(['/endless', '/endless-chunks', '/large/2'])('%s => cut at sizeLimit', async (route) => {
    const exchange = await get(route, { sizeLimit: 100_000 });
    expect(exchange.response.body.size).toBe(100_000);
    expect(exchange.truncated).toBe('length');
  });

  test('body of exactly sizeLimit => whole', async () => {
    const exchange = await get('/large/1', { sizeLimit: MB });
    expect(exchange.response.body.size).toBe(MB);
    expect(exchange.truncated).toBeUndefined();
  });

  test.each(['/hang', '/drip-head'])('%s => timeout', async (route) => {
    await expect(get(route, { timeLimit: 150 })).rejects.toMatchObject({ kind: 'timeout', retry: true });
  });

  test('/hang-after-head => truncated time, with what came', async () => {
    const exchange = await get('/hang-after-head', { timeLimit: 300 });
    expect(latin1(exchange.response.body.bytes)).toBe('Hello');
    expect(exchange.truncated).toBe('time');
  });

  test('/drip => truncated time', async () => {
    const exchange = await get('/drip', { timeLimit: 400 });
    expect(latin1(exchange.response.body.bytes)).toMatch(/^\.+$/);
    expect(exchange.truncated).toBe('time');
  });

  test.each([Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER])(
    'timeLimit %d => no limit',
    async (timeLimit) => {
      expect((await get('/ok', { timeLimit })).response.status).toBe(200);
    },
  );

  test('signal => its reason, before the head and in the body', async () => {
    for (const route of ['/hang', '/drip']) {
      const signal = AbortSignal.timeout(100);
      await expect(get(route, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    }
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(get('/ok', { signal })).rejects.toThrow('stop');
  });
});

describe('no answer', () => {
  test('reset => connection-failed', async () => {
    await expect(get('/reset')).rejects.toMatchObject({ kind: 'connection-failed', retry: true });
  });

  test('closed without a byte => connection-failed', async () => {
    await expect(get('/close-silently')).rejects.toMatchObject({ kind: 'connection-failed' });
  });

  test('nobody listens => connection-refused', async () => {
    const gone = await startHostileServer();
    await gone.close();
    await expect(ask(`${gone.url}/ok`)).rejects.toMatchObject({ kind: 'connection-refused' });
  });

  test('name without address => dns-failure', async () => {
    const lookup = () =>
      Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
    const own = openHttpFetcher({ lookup });
    const request = { url: 'http://no-such.example/', userAgent: 'x', timeLimit: 20_000, sizeLimit: MB };
    await expect(own.fetch(request)).rejects.toMatchObject({ kind: 'dns-failure' });
    const empty = openHttpFetcher({ lookup: async () => [] });
    await expect(empty.fetch(request)).rejects.toMatchObject({ kind: 'dns-failure' });
  });

  test('resolver that never answers => timeout', async () => {
    const own = openHttpFetcher({ lookup: () => new Promise(() => {}) });
    const request = { url: 'http://slow.example/', userAgent: 'x', timeLimit: 100, sizeLimit: MB };
    await expect(own.fetch(request)).rejects.toMatchObject({ kind: 'timeout' });
  });

  test.each([
    'ftp://example.org/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'nonsense',
  ])('%s => unsupported-url', async (url) => {
    await expect(ask(url)).rejects.toMatchObject({ kind: 'unsupported-url' });
  });
});

test('loops, chains, 429 and 503 => answers like any other', async () => {
  const location = async (route: string) =>
    (await get(route)).response.headers.find(([name]) => name === 'Location')?.[1];
  expect(await location('/loop/a')).toBe('/loop/b');
  expect(await location('/loop/b')).toBe('/loop/a');
  expect(await location('/loop/self')).toBe('/loop/self');
  expect(await location('/redirect/9998')).toBe('/redirect/9999');
  expect(await location('/redirect/9999')).toBe('/ok');
  const tooMany = await get('/too-many');
  expect(tooMany.response.status).toBe(429);
  expect(tooMany.response.headers).toContainEqual(['Retry-After', '2']);
  const busy = await get('/busy');
  expect(busy.response.status).toBe(503);
});

test.each([
  ['/gzip', false, true],
  ['/gzip-bomb', true, false],
  ['/cut-gzip', false, false],
])('%s read back => at the limit: %s, complete: %s', async (route, isAtLimit, isComplete) => {
  const exchange = await get(route);
  expect(exchange.truncated).toBeUndefined();
  const decoded = await decodedBytes(exchange.response, 500_000);
  expect(decoded.bytes.length > 0).toBe(true);
  expect(decoded.bytes.length === 500_000).toBe(isAtLimit);
  expect(decoded.complete).toBe(isComplete);
});

test('/huge-trailer => captured whole', async () => {
  const exchange = await get('/huge-trailer');
  expect(latin1(exchange.response.body.bytes)).toMatch(/^5\r\nHello\r\n0\r\nX: t{200000}\r\n\r\n$/);
  expect(exchange.truncated).toBeUndefined();
});
