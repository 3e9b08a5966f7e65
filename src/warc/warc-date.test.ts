import { expect, test } from 'vitest';
import { parseWarcDate } from './warc-date.ts';

const iso = (text: string): string => {
  const { at, isStandard } = parseWarcDate(text);
  return `${isStandard ? 'standard' : 'loose'} ${Number.isNaN(at) ? 'none' : new Date(at).toISOString()}`;
};

test.each([
  ['2026-01-02T03:04:05Z', 'standard 2026-01-02T03:04:05.000Z'],
  ['2026-01-02T03:04:05.123456789Z', 'standard 2026-01-02T03:04:05.123Z'],
  ['2026-01', 'standard 2026-01-01T00:00:00.000Z'],
  // Without a zone: UTC, on any machine.
  ['2026-01-02T03:04:05', 'loose 2026-01-02T03:04:05.000Z'],
  ['2026-01-02 03:04:05', 'loose 2026-01-02T03:04:05.000Z'],
  ['20260102030405', 'loose 2026-01-02T03:04:05.000Z'],
  ['20260102', 'loose 2026-01-02T00:00:00.000Z'],
  ['2026-01-02T03:04:05+02:00', 'loose 2026-01-02T01:04:05.000Z'],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 'loose 1994-11-06T08:49:37.000Z'],
  ['2026-02-30T00:00:00Z', 'loose none'],
  ['2026-13-01T00:00:00Z', 'loose none'],
  ['yesterday', 'loose none'],
  ['', 'loose none'],
])('%s => %s', (text, expected) => {
  expect(iso(text)).toBe(expected);
});
