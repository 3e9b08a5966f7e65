import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editedMemory, inverseEdit, memoryEdit } from './memory-edit.ts';

test('long memories that differ anywhere => told in the middle alone, and leads there and back', () => {
  const long = fc.string({ minLength: 0, maxLength: 900, unit: fc.constantFrom('a', 'b') });
  fc.assert(
    fc.property(long, long, long, long, (start, was, is, end) => {
      const [old, now] = [start + was + end, start + is + end];
      const edit = memoryEdit(old, now);
      expect(edit === undefined).toBe(old === now);
      expect(edit?.old?.length ?? 0).toBeLessThanOrEqual(was.length);
      expect(editedMemory(old, edit)).toEqual({ kind: 'fits', memory: now });
      expect(editedMemory(now, edit && inverseEdit(edit))).toEqual({ kind: 'fits', memory: old });
    }),
  );
});
