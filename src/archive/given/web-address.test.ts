import { describe, expect, it } from 'vitest';
import { webAddress } from './web-address.ts';

describe('web addresses as people write them', () => {
  it.each([
    ['example.org', 'https://example.org/'],
    ['Example.org/Path?q=1#part', 'https://example.org/Path?q=1#part'],
    ['www.bbc.co.uk/news', 'https://www.bbc.co.uk/news'],
    ['//example.org/a', 'https://example.org/a'],
    ['example.org:8443/a', 'https://example.org:8443/a'],
    ['bücher.de', 'https://xn--bcher-kva.de/'],
    ['medium.com/@user', 'https://medium.com/@user'],
    ['someone.github.io', 'https://someone.github.io/'],
    ['203.0.113.7/x', 'https://203.0.113.7/x'],
    ['wiki.corp:8080', 'https://wiki.corp:8080/'],
    ['localhost', 'http://localhost/'],
    ['localhost:8080/a', 'http://localhost:8080/a'],
    ['site.localhost:8080', 'http://site.localhost:8080/'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000/'],
    ['127.8.9.1:3000', 'http://127.8.9.1:3000/'],
    ['[::1]:3000/x', 'http://[::1]:3000/x'],
  ])('%s => %s, assumed', (text, url) => {
    expect(webAddress(text)).toEqual({ url, assumed: true });
  });

  it.each([
    ['http://example.org', 'http://example.org/'],
    [' HTTPS://example.org/a ', 'https://example.org/a'],
  ])('%s => %s, as given', (text, url) => {
    expect(webAddress(text)).toEqual({ url, assumed: false });
  });

  it.each([
    'example',
    'page.html',
    './page.html',
    'ftp://example.org/',
    'mailto:a@example.org',
    'a b.org',
    '',
    '/etc/x',
    'http://',
  ])("'%s' => none", (text) => {
    expect(webAddress(text)).toBeUndefined();
  });
});
