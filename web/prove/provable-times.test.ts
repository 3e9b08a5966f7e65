import { expect, test } from 'vitest';
import { provableTimes } from './provable-times.ts';

test('certificates => each site that is proven at a dated moment, by its own pages, the latest first', () => {
  const paper = { site: '127.0.0.1:80', pages: 84, proven: 76 };
  const town = { site: '127.0.0.1:81', pages: 6, proven: 4 };
  expect(
    provableTimes([
      { provenAt: 10, sites: [town, paper] },
      { provenAt: 30, sites: [paper, { ...town, proven: 0 }] },
      { provenAt: null, sites: [{ ...paper, proven: 0 }] },
    ]),
  ).toEqual([
    { ...paper, at: 30 },
    { ...paper, at: 10 },
    { ...town, at: 10 },
  ]);
});
