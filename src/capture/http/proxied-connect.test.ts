import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackProxy, startHttpProxy, startSocksProxy } from '../../../test/loopback-proxies.ts';
import { startHostileServer } from '../../../test/sites/hostile-server.ts';
import { openGuardProxy } from './guard-proxy.ts';
import { openHttpFetcher } from './http-fetcher.ts';
import { parseProxyRule, proxyFor, type WaysOut } from './ways-out.ts';

/** Public addresses that are never contacted: tunnels end on loopback. */
const PUBLIC = [{ address: '93.184.216.34', family: 4 }];
const LOCAL = [{ address: '10.0.0.7', family: 4 }];

let server: http.Server;
let to: number;
const proxies: LoopbackProxy[] = [];
beforeAll(async () => {
  server = http.createServer(({ headers }, response) => void response.end(`host: ${headers.host}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  to = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());
afterEach(async () => {
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
});

const START = { http: startHttpProxy, socks5: startSocksProxy } as const;

async function through(
  scheme: keyof typeof START,
  options: Partial<WaysOut> & { refusal?: number; userInfo?: string; addresses?: typeof PUBLIC } = {},
) {
  const { refusal, userInfo = '', proxyDns = false, addresses = PUBLIC } = options;
  const proxy = await START[scheme](to, refusal);
  proxies.push(proxy);
  const rule = parseProxyRule(`${scheme}://${userInfo}127.0.0.1:${proxy.port}`);
  const ways = { rules: rule ? [rule] : [], proxyDns };
  const lookup = async () => addresses;
  const fetcher = openHttpFetcher({ ways, lookup });
  const ask = () =>
    fetcher.fetch({ url: 'http://site.example/x', userAgent: 'test', timeLimit: 30_000, sizeLimit: 1e6 });
  return { proxy, ways, lookup, fetcher, ask };
}

describe.each(['http', 'socks5'] as const)('through a proxy, %s', (scheme) => {
  it('a name => resolved and checked here, its address passed on; the request is for the name', async () => {
    const { proxy, fetcher, ask } = await through(scheme, { userInfo: 'me:p%40ss@' });
    const { response, ip } = await ask();
    expect(Buffer.from(response.body.bytes ?? []).toString()).toBe('host: site.example');
    expect([proxy.asked, proxy.credentials, ip]).toEqual([
      ['93.184.216.34:80'],
      ['me:p@ss'],
      '93.184.216.34',
    ]);
    await fetcher.close();
  });

  it('a name of a private address => refused, the proxy is not asked', async () => {
    const { proxy, fetcher, ask } = await through(scheme, { addresses: LOCAL });
    await expect(ask()).rejects.toMatchObject({ kind: 'private-address' });
    expect(proxy.asked).toEqual([]);
    await fetcher.close();
  });

  it('with --proxy-dns => the name passed on, no address known', async () => {
    const { proxy, fetcher, ask } = await through(scheme, { proxyDns: true, addresses: LOCAL });
    expect((await ask()).ip).toBeUndefined();
    expect(proxy.asked).toEqual(['site.example:80']);
    await fetcher.close();
  });

  it('one that refuses, or is gone => a fault of the visit that names it without its credentials', async () => {
    const { proxy, fetcher, ask } = await through(scheme, {
      userInfo: 'me:secret-word@',
      refusal: scheme === 'http' ? 403 : 2,
    });
    const refused = await ask().catch((error: Error & { kind: string }) => error);
    expect(refused).toMatchObject({ kind: 'proxy-failed' });
    expect(String(refused)).toContain(`${scheme}://127.0.0.1:${proxy.port}`);
    await proxy.close();
    proxies.length = 0;
    const gone = await ask().catch((error: Error & { kind: string }) => error);
    expect(gone).toMatchObject({ kind: 'proxy-failed' });
    expect(`${JSON.stringify(refused)}${String(refused)}${String(gone)}`).not.toContain('secret-word');
    await fetcher.close();
  });

  it('https => TLS with the host through the tunnel, by its name', async () => {
    const hostile = await startHostileServer();
    const proxy = await START[scheme](Number(new URL(hostile.tlsUrl).port));
    proxies.push(proxy);
    const rule = parseProxyRule(`${scheme}://127.0.0.1:${proxy.port}`);
    const ways = { rules: rule ? [rule] : [], proxyDns: false };
    const fetcher = openHttpFetcher({ ways, lookup: async () => PUBLIC, insecureTls: true });
    const limits = { timeLimit: 30_000, sizeLimit: 1e6 };
    const answer = await fetcher.fetch({ url: 'https://site.example/ok', userAgent: 'test', ...limits });
    expect([answer.response.status, answer.protocols]).toEqual([200, ['http/1.1', 'tls/1.3']]);
    expect(proxy.asked).toEqual(['93.184.216.34:443']);
    await fetcher.close();
    await hostile.close();
  });

  it('the browser, behind the guard proxy => the same way, the same check, the same address', async () => {
    const { proxy, ways, lookup, fetcher } = await through(scheme);
    const guard = await openGuardProxy({ ways, lookup });
    const { port } = new URL(guard.url);
    const answer = await new Promise<string>((resolve, reject) => {
      http
        .get(
          { host: '127.0.0.1', port, path: 'http://site.example/y', headers: { Host: 'site.example' } },
          (got) => {
            got.setEncoding('utf8').on('data', resolve);
          },
        )
        .on('error', reject);
    });
    expect([answer, proxy.asked]).toEqual(['host: site.example', ['93.184.216.34:80']]);
    expect(guard.ipOf('http://site.example/y')).toBe('93.184.216.34');
    await guard.close();
    await fetcher.close();
  });
});

describe('rules', () => {
  it.each([
    ['socks5://h', { hosts: '*', proxy: { scheme: 'socks5', hostname: 'h', port: 1080 } }],
    ['http://h:80', { hosts: '*', proxy: { scheme: 'http', hostname: 'h', port: 80 } }],
    ['*.A.org=http://[::1]:8/', { hosts: '*.a.org', proxy: { scheme: 'http', hostname: '[::1]', port: 8 } }],
    ['a.org=direct', { hosts: 'a.org', proxy: 'direct' }],
    ['https://h', undefined],
    ['socks5h://h', undefined],
    ['http://h/path', undefined],
    ['a b=direct', undefined],
    ['', undefined],
  ])('%s => %j', (text, rule) => {
    expect(parseProxyRule(text)).toEqual(rule);
  });

  it('a host => the first rule that fits it', () => {
    const rules = ['a.org=direct', '*.a.org=http://one', 'socks5://two'].flatMap(
      (text) => parseProxyRule(text) ?? [],
    );
    const names = ['a.org', 'x.a.org', 'ba.org'].map(
      (host) => proxyFor(host, { rules, proxyDns: false })?.hostname,
    );
    expect(names).toEqual([undefined, 'one', 'two']);
  });
});
