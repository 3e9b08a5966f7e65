import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dechunk, dechunkStream, isChunked, parseHttpHead } from './http-message.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const text = (data: Uint8Array): string => Buffer.from(data).toString('latin1');

describe('parseHttpHead', () => {
  test('status line and fields => status, text, headers in wire order and spelling', () => {
    const head = parseHttpHead(bytes('HTTP/1.1 404 Not Found\r\nServer: x\r\nset-Cookie: a\r\n\r\nbody'));
    expect(head).toMatchObject({
      kind: 'response',
      status: 404,
      statusText: 'Not Found',
      headers: [
        ['Server', 'x'],
        ['set-Cookie', 'a'],
      ],
      headLength: 52,
    });
  });
  test('LF alone, no reason phrase => read all the same', () => {
    expect(parseHttpHead(bytes('HTTP/1.0 200\nA: b\n\nx'))).toMatchObject({ status: 200, headLength: 19 });
  });
  test('folded line => joined; line without colon or name => dropped', () => {
    const head = parseHttpHead(bytes('HTTP/1.1 200 OK\r\nA: b\r\n\t c\r\njunk\r\n: v\r\n\r\n'));
    expect(head?.headers).toEqual([['A', 'b c']]);
  });
  test('100 and 103 before the answer => the answer, headLength over all of them', () => {
    const all = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n';
    expect(parseHttpHead(bytes(`${all}body`))).toMatchObject({ status: 200, headLength: all.length });
  });
  test('a lone 100 => itself; 101 => itself', () => {
    expect(parseHttpHead(bytes('HTTP/1.1 100 Continue\r\n\r\n'))?.status).toBe(100);
    expect(parseHttpHead(bytes('HTTP/1.1 101 Up\r\n\r\nHTTP'))?.status).toBe(101);
  });
  test('cut off before the empty line => as far as it goes', () => {
    expect(parseHttpHead(bytes('HTTP/1.1 200 OK\r\nA: b'))).toMatchObject({
      headers: [['A', 'b']],
      headLength: 21,
    });
  });
  test('request line => method and target', () => {
    expect(parseHttpHead(bytes('POST /a b HTTP/1.1\r\nHost: h\r\n\r\n'))).toMatchObject({
      kind: 'request',
      method: 'POST',
      target: '/a b',
    });
  });
  test('not HTTP => undefined', () => {
    expect(parseHttpHead(bytes('<!doctype html>\n'))).toBeUndefined();
    expect(parseHttpHead(bytes(''))).toBeUndefined();
  });
  test('latin1 bytes in a value => kept', () => {
    expect(parseHttpHead(bytes('HTTP/1.1 200 OK\r\nA: \xe9\r\n\r\n'))?.headers[0]?.[1]).toBe('\xe9');
  });
});

test('isChunked: `gzip, chunked` => true, `chunked, gzip` => false', () => {
  expect(isChunked([['Transfer-Encoding', 'gzip, Chunked']])).toBe(true);
  expect(isChunked([['transfer-encoding', 'chunked, gzip']])).toBe(false);
});

describe('dechunk', () => {
  const cases: [name: string, body: string, out: string, wellFormed: boolean][] = [
    ['two chunks', '3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n', 'abcde', true],
    ['trailer fields', '1\r\na\r\n0\r\nX: y\r\n\r\n', 'a', true],
    ['LF only', '1\na\n0\n\n', 'a', true],
    ['last line missing', '1\r\na\r\n0\r\n', 'a', true],
    ['breaks off in the data', '5\r\nab', 'ab', false],
    ['breaks off before the last chunk', '2\r\nab\r\n', 'ab', false],
    ['not chunked', '<!doctype html>\n<html>', '<!doctype html>\n<html>', false],
    ['wrong size', '2\r\nabcd\r\n0\r\n\r\n', 'abcd\r\n0\r\n\r\n', false],
    ['bytes after the end', '1\r\na\r\n0\r\n\r\nmore', 'a', false],
    ['empty body', '', '', false],
  ];
  test.each(cases)('%s', (_, body, out, wellFormed) => {
    const result = dechunk(bytes(body));
    expect([text(result.bytes), result.wellFormed]).toEqual([out, wellFormed]);
  });

  test('any bytes, any cuts: the stream gives what the whole gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        fc.boolean(),
        async (chunks, cuts, complete) => {
          const wire = Buffer.concat([
            ...chunks.flatMap((chunk) => [bytes(`${chunk.length.toString(16)}\r\n`), chunk, bytes('\r\n')]),
            bytes(complete ? '0\r\n\r\n' : ''),
          ]);
          async function* pieces() {
            for (let at = 0, i = 0; at < wire.length; i++) {
              const step = cuts[i % cuts.length] as number;
              yield wire.subarray(at, at + step);
              at += step;
            }
          }
          const stream = dechunkStream(pieces());
          const out: Uint8Array[] = [];
          let next = await stream.next();
          for (; !next.done; next = await stream.next()) out.push(next.value);
          expect(Buffer.concat(out)).toEqual(Buffer.concat(chunks));
          expect(next.value).toBe(complete);
          expect(dechunk(wire).wellFormed).toBe(complete);
        },
      ),
      { numRuns: 100 },
    );
  });
});

test('a trailer line of 300 KB => passed over, the body is whole', () => {
  const body = `3\r\nabc\r\n0\r\nX-Long: ${'x'.repeat(300_000)}\r\n\r\n`;
  const { bytes, wellFormed } = dechunk(Buffer.from(body));
  expect(Buffer.from(bytes).toString()).toBe('abc');
  expect(wellFormed).toBe(true);
});
