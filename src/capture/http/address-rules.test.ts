import { lookup as dnsLookup } from 'node:dns/promises';
import { describe, expect, test } from 'vitest';
import { startHostileServer } from '../../../test/sites/hostile-server.ts';
import { isPublicAddress } from './address-rules.ts';
import { openHttpFetcher } from './http-fetcher.ts';

describe('isPublicAddress', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '198.17.255.255',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001:80b::200e',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ])('%s => public', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:0:127.0.0.1',
    '0:0:0:0:0:ffff:c0a8:0101',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:10::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '2002:c0a8:101::',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456:789a::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
    '127.1',
    '1.2.3.4.5',
  ])('%s => not public', (ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });
});

describe('at connect', () => {
  const ask = (url: string, lookup?: (name: string) => Promise<{ address: string; family: number }[]>) =>
    openHttpFetcher(lookup ? { lookup } : {}).fetch({
      url,
      userAgent: 'x',
      timeLimit: 5000,
      sizeLimit: 1000,
    });

  test.each([
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://127.1:8080/', '127.0.0.1'],
    ['http://[::1]/', '::1'],
    ['http://[::ffff:10.0.0.1]/', '::ffff:a00:1'],
    ['http://①②⑦.0.0.1/', '127.0.0.1'],
    ['https://169.254.169.254/latest/meta-data/', '169.254.169.254'],
  ])('%s => refused, naming %s', async (url, address) => {
    await expect(ask(url)).rejects.toMatchObject({
      kind: 'private-address',
      message: expect.stringContaining(address),
    });
  });

  test('localhost => refused, naming host and address', async () => {
    await expect(ask('http://localhost/', (name) => dnsLookup(name, { all: true }))).rejects.toMatchObject({
      kind: 'private-address',
      message: expect.stringMatching(/localhost resolves to .*(127\.0\.0\.1|::1)/),
    });
  });

  test('name that is public first and private at connect (rebinding) => never connected', async () => {
    const server = await startHostileServer();
    const { port } = new URL(server.url);
    let asked = 0;
    const lookup = async () => {
      asked++;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    await expect(ask(`http://rebind.example:${port}/ok`, lookup)).rejects.toMatchObject({
      kind: 'private-address',
      message: expect.stringContaining('rebind.example resolves to 127.0.0.1'),
    });
    // One resolution, whose result is both checked and connected to: there is no second one to forge.
    expect(asked).toBe(1);
    expect(server.connections).toBe(0);
    await server.close();
  });

  test('allowPrivate with an injected name => connected', async () => {
    const server = await startHostileServer();
    const { port } = new URL(server.url);
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
    const fetcher = openHttpFetcher({ lookup, allowPrivate: true });
    const request = { userAgent: 'x', timeLimit: 5000, sizeLimit: 1000 };
    const exchange = await fetcher.fetch({ url: `http://site.example:${port}/ok`, ...request });
    expect(exchange.ip).toBe('127.0.0.1');
    expect(server.requests[0]).toContain(`Host: site.example:${port}\r\n`);
    await fetcher.close();
    await server.close();
  });
});
