import { describe, expect, it } from 'vitest';
import { siteOf } from './site.ts';

const EXAMPLES: readonly (readonly [url: string, site: string])[] = [
  ['https://example.org/a?b#c', 'example.org'],
  ['http://www.example.org/', 'example.org'],
  ['http://www.example.org', 'example.org'],
  ['https://WWW.Example.ORG/', 'example.org'],
  ['http://example.org:8080/x', 'example.org:8080'],
  ['http://example.org:80/x', 'example.org'],
  ['https://example.org:443/x', 'example.org'],
  ['http://www.example.org:8080/', 'example.org:8080'],
  ['http://user:secret@example.org/', 'example.org'],
  ['http://www2.example.org/', 'www2.example.org'],
  ['http://wwwexample.org/', 'wwwexample.org'],
  ['http://127.0.0.1:3000/', '127.0.0.1:3000'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://1.2.3.4/', '1.2.3.4'],
  ['http://[::1]:80/', '[::1]'],
  ['http://localhost/', 'localhost'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ['urn:view:https://example.org/', ''],
  ['data:text/plain,x', ''],
  ['', ''],
  ['not a url', ''],
];

describe('siteOf', () => {
  it.each(EXAMPLES)('%s => %j', (url, site) => expect(siteOf(url)).toBe(site));
});
