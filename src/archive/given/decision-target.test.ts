import { expect, test } from 'vitest';
import { decisionTarget } from './decision-target.ts';

test.each([
  ['WWW.Example.org', 'www.example.org'],
  ['example.org:8080', 'example.org:8080'],
  ['127.0.0.1:99', '127.0.0.1:99'],
  ['example.org/a', 'https://example.org/a'],
  ['HTTP://Example.org', 'http://example.org/'],
  ['Example.org/Blog/*', 'example.org/Blog/*'],
  [' *.fr/* ', '*.fr/*'],
])('%s => %s', (given, target) => {
  expect(decisionTarget(given)).toBe(target);
});

test.each([
  '',
  '*',
  'https://*',
  'a b.org',
  'ftp://a.org/',
  'nothing',
  'a.org/\u0007',
  `a.org/${'x'.repeat(5000)}`,
])('%j => refused with what is accepted', (given) => {
  expect(() => decisionTarget(given)).toThrow(/write a page .* a site .* or a pattern/);
});
