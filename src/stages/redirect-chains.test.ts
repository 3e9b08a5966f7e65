import { expect, test } from 'vitest';
import { createRedirectChains } from './redirect-chains.ts';

test('a → b → c → a => redirect-loop at c', () => {
  const chains = createRedirectChains();
  expect(chains.follow({ url: 'http://x/a', redirects: 0 }, '/b', 20).target).toBe('http://x/b');
  expect(chains.follow({ url: 'http://x/b', redirects: 1 }, 'http://x/c#part', 20).target).toBe('http://x/c');
  expect(chains.follow({ url: 'http://x/c', redirects: 2 }, '/a', 20).fault?.kind).toBe('redirect-loop');
});

test('a → a => redirect-loop at once', () => {
  expect(createRedirectChains().follow({ url: 'http://x/a', redirects: 0 }, 'a', 20).fault?.kind).toBe(
    'redirect-loop',
  );
});

test('the 21st redirect in a row => redirect-limit', () => {
  const chains = createRedirectChains();
  expect(chains.follow({ url: 'http://x/19', redirects: 19 }, '/20', 20).target).toBe('http://x/20');
  expect(chains.follow({ url: 'http://x/20', redirects: 20 }, '/21', 20).fault?.kind).toBe('redirect-limit');
});

test('a Location that is no URL => malformed-response that quotes it', () => {
  const { fault } = createRedirectChains().follow({ url: 'http://x/a', redirects: 0 }, 'http://[', 20);
  expect(fault?.kind).toBe('malformed-response');
  expect(fault?.message).toContain('"http://["');
});
