import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HeaderList } from '../../model/exchange.ts';
import { BodyFraming } from './body-framing.ts';

const CHUNKED: HeaderList = [['Transfer-Encoding', 'chunked']];
const bytes = (text: string) => Buffer.from(text, 'latin1');

function taken(headers: HeaderList, pieces: readonly Uint8Array[]) {
  const framing = BodyFraming.ofResponse(200, headers);
  let size = 0;
  for (const piece of pieces) size += framing.take(piece);
  return { size, done: framing.done, broken: framing.broken };
}

describe('chunked', () => {
  test.each([
    ['0\r\n\r\n', 5],
    ['5\r\nHello\r\n0\r\n\r\n', 15],
    ['5\nHello\n0\n\n', 11],
    ['5;x="y"\r\nHello\r\n000\r\nA: b\r\nC: d\r\n\r\n', 35],
    ['A \r\n0123456789\r\n0\r\n\r\n', 21],
  ])('%j and more after it => ends after %d bytes', (body, size) => {
    expect(body.length).toBe(size);
    expect(taken(CHUNKED, [bytes(`${body}HTTP/1.1 200`)])).toEqual({ size, done: true, broken: false });
  });

  test.each([
    '\r\n',
    'x\r\n',
    '-1\r\n',
    '5\r\nHelloworld',
    '5\r\nHello\r\r\n',
    '00000000000000\r\n',
    `1;${'e'.repeat(20_000)}`,
  ])('%j => broken, kept to its end', (body) => {
    expect(taken(CHUNKED, [bytes(`${body}tail`)])).toEqual({
      size: body.length + 4,
      done: false,
      broken: true,
    });
  });

  test('endless trailer => broken', () => {
    expect(taken(CHUNKED, [bytes(`0\r\n${'t'.repeat(300_000)}`)])).toMatchObject({ broken: true });
  });

  test('however the network cuts it => the same end', () => {
    const body = bytes('5;a\r\nHello\r\nb\r\n, good world\r\n0\r\nT: 1\r\n\r\n'.replace('b\r\n', 'c\r\n'));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: body.length - 1 })), (cuts) => {
        const at = [0, ...[...new Set(cuts)].sort((a, b) => a - b), body.length];
        const pieces = at.slice(1).map((end, i) => body.subarray(at[i], end));
        expect(taken(CHUNKED, [...pieces, bytes('next')])).toEqual({
          size: body.length,
          done: true,
          broken: false,
        });
      }),
    );
  });
});

describe('lengths', () => {
  test.each<[HeaderList, object]>([
    [[['Content-Length', '3']], { size: 3, done: true, broken: false }],
    [[['content-length', '3, 3']], { size: 3, done: true, broken: false }],
    [[['Content-Length', '0']], { size: 0, done: true, broken: false }],
    [[['Content-Length', '9']], { size: 6, done: false, broken: false }],
    [[], { size: 6, done: false, broken: false }],
    [[['Content-Length', '-3']], { size: 6, done: false, broken: true }],
    [[['Content-Length', '3, 4']], { size: 6, done: false, broken: true }],
    [
      [
        ['Transfer-Encoding', 'gzip'],
        ['Transfer-Encoding', 'identity'],
      ],
      { size: 6, done: false, broken: false },
    ],
  ])('%j, 6 bytes => %j', (headers, expected) => {
    expect(taken(headers, [bytes('abcdef')])).toEqual(expected);
  });

  test.each([204, 304])('status %d with a length => no body', (status) => {
    expect(BodyFraming.ofResponse(status, [['Content-Length', '5']]).done).toBe(true);
  });

  test('request without a length => no body', () => {
    expect(BodyFraming.ofRequest([]).done).toBe(true);
  });
});
