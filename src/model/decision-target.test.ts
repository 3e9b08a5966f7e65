import { expect, test } from 'vitest';
import { mayTouch } from './decision-target.ts';

test.each([
  ['https://example.org/a', 'http://example.org/a', true],
  ['https://example.org/a', 'https://example.org/b', false],
  ['https://www.example.org/a', 'example.org', true],
  ['https://example.org/a', 'www.example.org', false],
  ['www.example.org', 'example.org', true],
  ['example.org', 'example.com', false],
  ['example.org:8080', 'example.org', true],
  ['example.org/blog/*', 'example.org', true],
  ['www.example.org/blog/*', 'example.org', true],
  ['example.com/blog/*', 'example.org', false],
  ['*.example.org/*', 'example.org', true],
  ['*.example.org/*', 'www.example.org', true],
  ['*.example.org/*', 'example.com', false],
  ['*/blog/*', 'example.com', true],
  ['example.org/blog/*', 'https://example.org/blog/1', true],
  ['example.org/blog/*', 'https://example.org/shop', false],
  ['example.org/*', 'example.org/blog/*', true],
  ['example.org/shop/*', 'example.org/blog/*', false],
])('%s and %s => may touch: %s, whichever comes first', (a, b, touches) => {
  expect([mayTouch(a, b), mayTouch(b, a)]).toEqual([touches, touches]);
});
