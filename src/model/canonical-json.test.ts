import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CanonicalJsonError, canonicalJson } from './canonical-json.ts';

describe('RFC 8785', () => {
  test('§3.2.2: literals, numbers and escapes => its text', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('§3.2.3: names => sorted by UTF-16 code units', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const value = Object.fromEntries(names.map((name) => [name, 0]));
    expect(Object.keys(JSON.parse(canonicalJson(value)) as object)).toHaveLength(names.length);
    expect(canonicalJson(value)).toBe(
      '{"\\r":0,"1":0,"\u0080":0,"\u00f6":0,"\u20ac":0,"\u{1f600}":0,"\ufb33":0}',
    );
  });

  test('-0 => 0; members without a value => left out', () => {
    expect(canonicalJson({ b: -0, a: undefined })).toBe('{"b":0}');
  });

  test('NaN, infinity, half a surrogate pair, a function => refused', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }, () => 1])
      expect(() => canonicalJson(value)).toThrow(CanonicalJsonError);
  });
});

test('any JSON value => parses back to itself, and the order of its names plays no part', () => {
  const anyJson = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(anyJson, (value) => {
      // JSON has no -0.
      const plain: unknown = JSON.parse(JSON.stringify(value));
      const text = canonicalJson(plain);
      expect(JSON.parse(text)).toEqual(plain);
      expect(canonicalJson(reversed(plain))).toBe(text);
    }),
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
