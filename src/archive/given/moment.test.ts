import { describe, expect, it } from 'vitest';
import { parseDeadline, parseMoment } from './moment.ts';

const NOW = Date.UTC(2026, 4, 6, 12);
const iso = (text: string, side: 'start' | 'end') => new Date(parseMoment(text, NOW, side)).toISOString();

describe('times as people write them', () => {
  it.each([
    ['2026', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
    ['2024-02', '2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
    ['20260301', '2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
    ['2026-03-01 12:30', '2026-03-01T12:30:00.000Z', '2026-03-01T12:30:59.999Z'],
    ['2026-03-01T12:30:05.250Z', '2026-03-01T12:30:05.250Z', '2026-03-01T12:30:05.250Z'],
    ['2026-03-01T12:30+02:00', '2026-03-01T10:30:00.000Z', '2026-03-01T10:30:00.000Z'],
    ['2d', '2026-05-04T12:00:00.000Z', '2026-05-04T12:00:00.000Z'],
    ['90m', '2026-05-06T10:30:00.000Z', '2026-05-06T10:30:00.000Z'],
  ])('%s => %s to %s', (text, start, end) => {
    expect([iso(text, 'start'), iso(text, 'end')]).toEqual([start, end]);
  });

  it.each([
    ['2022-02-31', 'no day 31 in that month'],
    ['20220229', 'no day 29 in that month'],
    ['2022-13', 'no month 13'],
    ['2022-00-01', 'no month 0'],
    ['2022-01-01T24:00', 'no hour 24'],
    ['20220101006000', 'no minute 60'],
    ['2022-02-31T12:00+02:00', 'no day 31 in that month'],
  ])('%s => an error that names the part', (text, why) => {
    for (const side of ['start', 'end'] as const) expect(() => parseMoment(text, NOW, side)).toThrow(why);
  });

  it('29 February of a leap year, a leap second, a time as HTTP writes it => taken', () => {
    expect(iso('2024-02-29', 'start')).toBe('2024-02-29T00:00:00.000Z');
    expect(iso('2016-12-31T23:59:60', 'start')).toBe('2016-12-31T23:59:59.000Z');
    expect(iso('Sun, 06 Nov 1994 08:49:37 GMT', 'start')).toBe('1994-11-06T08:49:37.000Z');
  });

  it.each(['yesterday', '', '3 moons', '2026-3-1x', 'chapter 5'])(
    "'%s' => an error that shows how",
    (text) => {
      expect(() => parseMoment(text, NOW, 'start')).toThrow(/write a (day|number)/);
    },
  );

  it('of an end: a day => its last moment; 2d => in two days; none => an error that speaks of the future', () => {
    expect(new Date(parseDeadline('2026-06-01', NOW)).toISOString()).toBe('2026-06-01T23:59:59.999Z');
    expect(new Date(parseDeadline('2d', NOW)).toISOString()).toBe('2026-05-08T12:00:00.000Z');
    expect(() => parseDeadline('soon', NOW)).toThrow(
      "'soon' is no time; write a day (2026-03-01), a time (2026-03-01T12:00), or how long from now (7d, 12h)",
    );
  });
});
