import { expect, it } from 'vitest';
import { siteNamed } from './site-name.ts';

it.each([
  ['example.org', 'example.org'],
  ['www.Example.org', 'example.org'],
  ['example.org/', 'example.org'],
  ['//example.org/a', 'example.org'],
  ['example.org:8080/a?b', 'example.org:8080'],
  ['example.org:80', 'example.org'],
  ['example.org:443', 'example.org'],
  ['http://www.example.org/some/page', 'example.org'],
  ['https://127.0.0.1:3000/', '127.0.0.1:3000'],
  ['localhost:3000', 'localhost:3000'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['', ''],
])("'%s' => '%s'", (text, site) => {
  expect(siteNamed(text)).toBe(site);
});
