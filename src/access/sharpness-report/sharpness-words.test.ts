import { expect, it } from 'vitest';
import { sharpnessWords } from './sharpness-words.ts';

it.each([
  [6.44e-8, 0, 0, 12, false, /^very likely/],
  [0.4, 0, 0, 12, false, /^probably/],
  [3.2, 0, 0, 40, false, /^mostly: expect about 3 changes on 40 pages/],
  [30, 0, 0, 40, false, /^hardly/],
  [0, 0, 0, 1, false, /^one page/],
  [1, 12, 12, 12, true, /^proven: every page/],
  [1, 9, 10, 12, true, /^proven for 9 of 12 pages.*10 as far as a reader sees/],
  [0, 0, 0, 0, false, /no page/],
])('blur %f, sharp %i/%i of %i, revisited %s => %s', (blur, strict, visible, pages, revisited, words) => {
  const told = sharpnessWords({ blur, sharp: { strict, visible, pages }, revisited });
  expect(told).toMatch(words);
  expect(told).not.toMatch(/\d\.\d|e-\d/);
});
