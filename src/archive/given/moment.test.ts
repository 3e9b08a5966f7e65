import { describe, expect, it } from 'vitest';
import { parseMoment } from './moment.ts';

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

  it.each(['yesterday', '', '3 moons', '2026-3-1x'])("'%s' => an error that shows how", (text) => {
    expect(() => parseMoment(text, NOW, 'start')).toThrow(/write a (day|number)/);
  });
});
