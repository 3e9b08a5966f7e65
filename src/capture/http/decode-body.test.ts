import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { memoryBody } from '../../model/body.ts';
import type { HeaderList, ResponseMessage } from '../../model/exchange.ts';
import { decodedBytes } from './decode-body.ts';

const MB = 1024 * 1024;
const TEXT = '<p>Hello</p>'.repeat(100);

function response(bytes: Uint8Array, coding?: string, framing: ResponseMessage['framing'] = 'identity') {
  const headers: HeaderList = coding === undefined ? [] : [['Content-Encoding', coding]];
  return { status: 200, headers, head: new Uint8Array(0), body: memoryBody(bytes), framing };
}

/** The same message from a body that is not in memory, in small pieces. */
function spooled(message: ResponseMessage, step = 1000): ResponseMessage {
  const bytes = message.body.bytes ?? new Uint8Array(0);
  return {
    ...message,
    body: {
      size: bytes.length,
      bytes: undefined,
      async *chunks() {
        for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
      },
      release: async () => {},
    },
  };
}

function chunked(bytes: Uint8Array, size = 7): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe.each([
  ['in memory', (message: ResponseMessage) => message],
  ['spooled', (message: ResponseMessage) => spooled(message)],
])('%s', (_name, as) => {
  test.each<[string | undefined, Uint8Array]>([
    [undefined, Buffer.from(TEXT)],
    ['identity', Buffer.from(TEXT)],
    ['gzip', gzipSync(TEXT)],
    ['X-GZIP', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
    ['gzip', Buffer.concat([gzipSync(TEXT.slice(0, 100)), gzipSync(TEXT.slice(100))])],
    ['gzip', Buffer.concat([gzipSync(TEXT), Buffer.from('\0\0\0 trailing garbage')])],
    ['deflate', Buffer.concat([deflateSync(TEXT), Buffer.from('garbage')])],
  ])('%s => the text, identity and chunked', async (coding, bytes) => {
    const plain = await decodedBytes(as(response(bytes, coding)), MB);
    expect(text(plain.bytes)).toBe(TEXT);
    expect(plain.complete).toBe(true);
    const inChunks = await decodedBytes(as(response(chunked(bytes), coding, 'chunked')), MB);
    expect(text(inChunks.bytes)).toBe(TEXT);
    expect(inChunks.complete).toBe(true);
  });

  test.each(['gzip', 'deflate', 'br'] as const)(
    '%s cut in half => its beginning, incomplete',
    async (coding) => {
      const long = Array.from({ length: 60_000 }, (_, i) => (i * 7919) % 10_007).join(' ');
      const whole = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[coding](long);
      const bytes = whole.subarray(0, whole.length / 2);
      const decoded = await decodedBytes(as(response(bytes, coding)), MB);
      expect(decoded.complete).toBe(false);
      expect(decoded.bytes.length).toBeGreaterThan(10_000);
      expect(long.startsWith(text(decoded.bytes))).toBe(true);
    },
  );

  test('gzip bomb, 64 MB from 64 KB => stops at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MB));
    const decoded = await decodedBytes(as(response(bomb, 'gzip')), MB);
    expect(decoded.bytes.length).toBe(MB);
    expect(decoded.complete).toBe(false);
  });

  test('bomb in a bomb => stops at the limit', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(64 * MB)));
    const decoded = await decodedBytes(as(response(bomb, 'gzip, gzip')), MB);
    expect(decoded.bytes.length).toBe(MB);
    expect(decoded.complete).toBe(false);
  });

  test('text labelled gzip => the text, incomplete', async () => {
    const decoded = await decodedBytes(as(response(Buffer.from(TEXT), 'gzip')), MB);
    expect(text(decoded.bytes)).toBe(TEXT);
    expect(decoded.complete).toBe(false);
  });

  test('unknown coding => raw bytes, incomplete', async () => {
    const decoded = await decodedBytes(as(response(Buffer.from('abc'), 'compress')), MB);
    expect(decoded).toMatchObject({ complete: false });
    expect(text(decoded.bytes)).toBe('abc');
  });

  test('chunks that break off => what came, incomplete', async () => {
    const decoded = await decodedBytes(
      as(response(Buffer.from('5\r\nHello\r\n9\r\nwor'), undefined, 'chunked')),
      MB,
    );
    expect(text(decoded.bytes)).toBe('Hellowor');
    expect(decoded.complete).toBe(false);
  });

  test('trailer of 200 KB in one line => no throw, the text is in it', async () => {
    const body = Buffer.from(`5\r\nHello\r\n0\r\nX: ${'t'.repeat(200_000)}\r\n\r\n`);
    const decoded = await decodedBytes(as(response(body, undefined, 'chunked')), MB);
    expect(text(decoded.bytes)).toContain('Hello');
  });

  test('empty body labelled gzip => empty, complete', async () => {
    const decoded = await decodedBytes(as(response(new Uint8Array(0), 'gzip')), MB);
    expect(decoded.bytes.length).toBe(0);
    expect(decoded.complete).toBe(true);
  });

  test('longer than the limit without coding => cut', async () => {
    const decoded = await decodedBytes(as(response(Buffer.from('abcdef'))), 3);
    expect(text(decoded.bytes)).toBe('abc');
    expect(decoded.complete).toBe(false);
  });
});

test('source that fails => its error, not silence', async () => {
  const message = spooled(response(gzipSync(TEXT), 'gzip'));
  const failing = {
    ...message,
    body: {
      ...message.body,
      // biome-ignore lint/correctness/useYield: fails before the first piece
      async *chunks(): AsyncGenerator<Uint8Array> {
        throw new Error('spool file is gone');
      },
    },
  };
  await expect(decodedBytes(failing, MB)).rejects.toThrow('spool file is gone');
});
