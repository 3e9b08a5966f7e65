import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentId, sha256 } from './content-hash.ts';

test("FIPS 180-4 example 'abc' => ba7816bf…", () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('every length around the padding => as Node hashes it', () => {
  for (let length = 0; length < 300; length++) {
    const text = `${'x'.repeat(length)}é日😀`;
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
  }
});

test('any well-formed text => as Node hashes it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
    }),
  );
});

test('a text of 3 MB => as Node hashes it', () => {
  const text = 'data:image/png;base64,ABCDEFGH'.repeat(100_000);
  expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
});

test('halves of surrogate pairs => ids of their own', () => {
  expect(new Set(['\ud800', '\ud801', '\udc00', '\ufffd'].map(sha256)).size).toBe(4);
});

test("fields ('ab','c'), ('a','bc') and ('abc') => three ids", () => {
  const ids = [contentId('x', 'ab', 'c'), contentId('x', 'a', 'bc'), contentId('x', 'abc')];
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});
