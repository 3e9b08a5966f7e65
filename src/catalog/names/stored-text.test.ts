import { describe, expect, it } from 'vitest';
import { decodeSpec, encodeSpec, keyOf, storable, whole } from './stored-text.ts';

describe('storable', () => {
  it("'a\\0b' => 'a\\ufffdb'", () => expect(storable('a\0b')).toBe('a\ufffdb'));
  it("half a surrogate pair => '\\ufffd'", () => {
    expect(storable('x\ud83d')).toBe('x\ufffd');
    expect(storable('\udc00y')).toBe('\ufffdy');
  });
  it("'📷 ü' => itself", () => expect(storable('📷 ü')).toBe('📷 ü'));
});

describe('keyOf', () => {
  it('any length => 22 characters, the same for the same text', () => {
    expect(keyOf('')).toHaveLength(22);
    expect(keyOf('x'.repeat(10_000))).toHaveLength(22);
    expect(keyOf('a')).toBe(keyOf('a'));
    expect(keyOf('a')).not.toBe(keyOf('b'));
  });
});

describe('whole', () => {
  it('1.6 => 2', () => expect(whole(1.6)).toBe(2));
  it('Infinity => the largest safe integer', () => {
    expect(whole(Number.POSITIVE_INFINITY)).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('encodeSpec', () => {
  it('numbers without end => come back as they were', () => {
    const spec = { depth: Number.POSITIVE_INFINITY, low: Number.NEGATIVE_INFINITY, nested: [{ n: 3 }, 'x'] };
    expect(decodeSpec(encodeSpec(spec))).toEqual(spec);
  });
});
