import { expect, test } from 'vitest';
import { provableTimes } from './provable-times.ts';

const certificate = (seed: string, provenAt: number | null) => ({
  seeds: [seed],
  provenAt,
  strict: 2,
  visible: 3,
});

test('certificates => dated ones of sites that are there, the latest first', () => {
  const given = [
    certificate('https://www.example.org/', 10),
    certificate('http://127.0.0.1:80/', 20),
    certificate('http://127.0.0.1:81/x', 30),
    certificate('https://other.net/', 40),
    certificate('https://example.org/', null),
    certificate('no address', 50),
  ];
  expect(provableTimes(given, ['example.org', '127.0.0.1:81'])).toEqual([
    { site: '127.0.0.1:81', at: 30, pages: 3 },
    { site: 'example.org', at: 10, pages: 3 },
  ]);
});
