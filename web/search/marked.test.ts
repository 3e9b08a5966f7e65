import { expect, it } from 'vitest';
import { markedRuns } from './marked.ts';

it('two marks, the second first => runs in the order of the text', () => {
  const runs = markedRuns('a sea wall at sea', [
    [14, 17],
    [2, 5],
  ]);
  expect(runs).toEqual([
    { text: 'a ', isMarked: false },
    { text: 'sea', isMarked: true },
    { text: ' wall at ', isMarked: false },
    { text: 'sea', isMarked: true },
  ]);
});

it('marks that overlap or lie outside => every character once', () => {
  const all = markedRuns('abc', [
    [0, 2],
    [1, 9],
  ]);
  expect(all.map(({ text }) => text).join('')).toBe('abc');
  expect(markedRuns('<b>', [])).toEqual([{ text: '<b>', isMarked: false }]);
});
