import { expect, it } from 'vitest';
import { sendableHeaders, visibleCookies } from './archived-headers.ts';

it('content fields => kept; policy, state, CORS => renamed; connection => dropped', () => {
  const sent = sendableHeaders([
    ['Content-Type', 'text/html'],
    ['Content-Encoding', 'gzip'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'close'],
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
    ['Content-Security-Policy', "default-src 'self'"],
    ['Access-Control-Allow-Origin', '*'],
    ['X-Orig-Location', 'http://evil/'],
  ]);
  expect(Object.fromEntries(sent)).toEqual({
    'content-type': ['text/html'],
    'content-encoding': ['gzip'],
    'x-archive-orig-set-cookie': ['a=1', 'b=2'],
    'x-archive-orig-content-security-policy': ["default-src 'self'"],
    'x-archive-orig-access-control-allow-origin': ['*'],
    'x-archive-orig-x-orig-location': ['http://evil/'],
  });
});

it('a name or value no HTTP server may send => left out', () => {
  expect(sendableHeaders([['bad name', 'x']]).size).toBe(0);
  expect(sendableHeaders([['x', 'a\nb']]).size).toBe(0);
});

it('cookies => pairs without attributes, HttpOnly ones hidden', () => {
  expect(
    visibleCookies([
      ['Set-Cookie', 'a=1; Path=/'],
      ['set-cookie', 's=2; HttpOnly'],
    ]),
  ).toEqual(['a=1']);
});
