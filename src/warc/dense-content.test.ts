import { randomBytes } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodePng } from '../lab/newspaper/render/png.ts';
import { memoryBody } from '../model/body.ts';
import { isDense } from './dense-content.ts';

const dense = (bytes: Uint8Array): Promise<boolean> => isDense(memoryBody(bytes));
const words = (alphabet: string, length: number): Buffer => {
  const random = randomBytes(length);
  const letters = [...alphabet];
  return Buffer.from([...random].map((byte) => letters[byte % letters.length]).join(''));
};

describe('isDense', () => {
  test.each([
    ['random bytes', randomBytes(100_000)],
    ['gzipped text', gzipSync(words('etaoin shrdlu', 100_000))],
    ['text under brotli', brotliCompressSync(words('etaoin shrdlu', 100_000))],
    [
      'a PNG of noise',
      encodePng(200, 200, () => () => [...randomBytes(3)] as unknown as [number, number, number]),
    ],
  ])('%s => yes', async (_, bytes) => {
    expect(await dense(bytes)).toBe(true);
  });

  test.each([
    ['English text', words('etaoin shrdlu<>="/', 100_000)],
    [
      'Chinese text in UTF-8',
      words('的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生', 50_000),
    ],
    ['base64', Buffer.from(randomBytes(60_000).toString('base64'))],
    ['every value in turn', Buffer.from(Array.from({ length: 100_000 }, (_, i) => i & 255))],
    ['random bytes, but few', randomBytes(1000)],
    ['nothing', new Uint8Array(0)],
  ])('%s => no', async (_, bytes) => {
    expect(await dense(bytes)).toBe(false);
  });
});
