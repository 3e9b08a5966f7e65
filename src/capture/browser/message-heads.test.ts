import { expect, test } from 'vitest';
import type { HeaderList } from '../../model/exchange.ts';
import { headerList, requestHead, responseHead } from './message-heads.ts';

const text = (head: { bytes: Uint8Array }) => Buffer.from(head.bytes).toString('latin1');

function response(headers: HeaderList, more: Partial<Parameters<typeof responseHead>[0]> = {}) {
  return responseHead({
    status: 200,
    statusText: 'OK',
    headers,
    headersText: undefined,
    bodySize: 5,
    bodiless: false,
    ...more,
  });
}

test('repeated field joined by line feeds => one entry each', () => {
  expect(headerList({ 'Set-Cookie': 'a=1\nb=2', X: '' })).toEqual([
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
    ['X', ''],
  ]);
});

test('HTTP/2 pseudo fields => request line and Host', () => {
  const head = requestHead('GET', 'https://example.org/a?b', [
    [':authority', 'example.org'],
    [':path', '/a?b'],
    ['accept', '*/*'],
  ]);
  expect(text(head)).toBe('GET /a?b HTTP/1.1\r\nHost: example.org\r\naccept: */*\r\n\r\n');
});

test('true head => verbatim, spelling and order kept', () => {
  const headersText = 'HTTP/1.1 200 Fine\r\ncontent-TYPE: text/plain\r\nContent-Length: 5\r\n\r\n';
  expect(text(response([], { headersText }))).toBe(headersText);
});

test('gzip, chunked => renamed, true length added', () => {
  const { headers } = response([
    ['Content-Encoding', 'gzip'],
    ['Transfer-Encoding', 'chunked'],
  ]);
  expect(headers).toEqual([
    ['x-orig-content-encoding', 'gzip'],
    ['x-orig-transfer-encoding', 'chunked'],
    ['Content-Length', '5'],
  ]);
});

test('a coding that Chromium does not know => kept, as are the bytes', () => {
  const { headers } = response([
    ['Content-Encoding', 'aes128gcm'],
    ['Content-Length', '5'],
  ]);
  expect(headers).toEqual([
    ['Content-Encoding', 'aes128gcm'],
    ['Content-Length', '5'],
  ]);
});

test('cut body, no coding => the length that the server told stays', () => {
  expect(response([['Content-Length', '99']], { bodySize: undefined }).headers).toEqual([
    ['Content-Length', '99'],
  ]);
});

test('304 => untouched', () => {
  const headers: HeaderList = [
    ['Content-Encoding', 'gzip'],
    ['Content-Length', '99'],
  ];
  expect(response(headers, { status: 304, statusText: '', bodiless: true }).headers).toEqual(headers);
});

test('no reason phrase (HTTP/2) => the blank after the status stays, as the grammar wants', () => {
  expect(text(response([['content-length', '5']], { statusText: '' }))).toMatch(/^HTTP\/1\.1 200 \r\n/);
});

test('field with a character beyond latin1 => UTF-8', () => {
  const head = response([
    ['X', 'ł'],
    ['Content-Length', '5'],
  ]);
  expect(Buffer.from(head.bytes).toString('utf8')).toContain('X: ł\r\n');
});
