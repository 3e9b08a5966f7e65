import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeTargets, encodeTargets } from './link-targets.ts';

it('5, 3, 5, 40 => each once, in order', () => {
  expect(encodeTargets([5, 3, 5, 40])).toBe('3 2 z');
  expect(decodeTargets('3 2 z')).toEqual([3, 5, 40]);
});

it('no links => the empty text and back', () => {
  expect(decodeTargets(encodeTargets([]))).toEqual([]);
});

it('any ids => the same set back, ascending', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })), (ids) => {
      expect(decodeTargets(encodeTargets(ids))).toEqual([...new Set(ids)].sort((a, b) => a - b));
    }),
  );
});
