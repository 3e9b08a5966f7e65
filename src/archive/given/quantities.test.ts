import { expect, test } from 'vitest';
import { parseCount, parseDuration, parsePort, parseSize } from './quantities.ts';

test.each([
  ['90', 90_000],
  ['1.5s', 1500],
  ['250ms', 250],
  ['5m', 300_000],
  ['2 h', 7_200_000],
])('duration %s => %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  ['500', 500],
  ['20MB', 20_000_000],
  ['1.5GiB', 1_610_612_736],
])('size %s => %d bytes', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test('what is no quantity is refused with the units that are', () => {
  expect(() => parseDuration('soon')).toThrow(/'soon' is not a duration.*ms, s, m, h, d/);
  expect(() => parseSize('-3MB')).toThrow(/'-3MB' is not a size/);
  expect(() => parseCount('2.5')).toThrow(/whole number/);
});

test('ports => 0 to 65535', () => {
  expect([parsePort('0'), parsePort('8470'), parsePort('65535')]).toEqual([0, 8470, 65_535]);
  expect(() => parsePort('99999')).toThrow(/'99999' is no port/);
  expect(() => parsePort('http')).toThrow(/not a whole number/);
});
