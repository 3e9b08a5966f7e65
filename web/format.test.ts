import { expect, it } from 'vitest';
import { bytes, duration, fewPercent, plural, shortUrl } from './format.ts';

it('bytes: 0, 999, 1500, 250000, 3.2e9 => 0 B, 999 B, 1.5 kB, 250 kB, 3.2 GB', () => {
  expect([0, 999, 1500, 250_000, 3.2e9].map(bytes)).toEqual(['0 B', '999 B', '1.5 kB', '250 kB', '3.2 GB']);
});

it('duration: 900 ms, 75 s, 3725 s => 1 s, 1 min 15 s, 1 h 2 min', () => {
  expect([900, 75_000, 3_725_000].map(duration)).toEqual(['1 s', '1 min 15 s', '1 h 2 min']);
});

it('fewPercent: a share below a tenth has two digits => not rounded to none', () => {
  expect([0.00544, 0.034, 0.2607, 1].map(fewPercent)).toEqual(['0.54%', '3.4%', '26%', '100%']);
});

it('plural and shortUrl', () => {
  expect(plural(1, 'page')).toBe('1 page');
  expect(plural(2, 'page')).toBe('2 pages');
  expect(shortUrl('https://x.org/a')).toBe('x.org/a');
});
