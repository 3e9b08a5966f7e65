import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldedTextName } from './folded-text.ts';

/** Literally by its definition. */
function plainly(text: string): string {
  const folded = text.replace(/\b\d+\b/g, '0').replace(/\s+/g, ' ');
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let i = 0; i < folded.length; i++) {
    const code = folded.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b + code, 0x85ebca6b) ^ (b >>> 13);
  }
  return `${folded.length} ${a | 0} ${b | 0}`;
}

test.each([
  ['Layer 17 of the  maze', 'Layer 18 of the\nmaze'],
  ['12,50', '3,7'],
  ['é7', 'é8'],
])('%j and %j => the same name', (one, other) => {
  expect(foldedTextName(one)).toBe(foldedTextName(other));
});

test.each([
  ['part B12', 'part B13'],
  ['17a', '18a'],
  ['a_1', 'a_2'],
  ['x', 'x '],
])('%j and %j => two names', (one, other) => {
  expect(foldedTextName(one)).not.toBe(foldedTextName(other));
});

test('any text => the name that its definition gives', () => {
  const unit = fc.constantFrom(
    ...'a',
    'Z',
    '_',
    '0',
    '7',
    '99',
    ' ',
    '\n',
    '\u00a0',
    '\u2003',
    '\ufeff',
    'é',
    '-',
    '🎈',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(unit, fc.string({ unit: 'binary' }))), (parts) => {
      expect(foldedTextName(parts.join(''))).toBe(plainly(parts.join('')));
    }),
    { numRuns: 1_000 },
  );
});

test('every character alone, and between digits => as its definition', () => {
  for (let code = 0; code < 0x10000; code++) {
    const text = `${String.fromCharCode(code)}1${String.fromCharCode(code)}`;
    if (foldedTextName(text) !== plainly(text)) expect.fail(`U+${code.toString(16)}`);
  }
});
