import { describe, expect, it } from 'vitest';
import { bars, groupText, patternLine, patternText } from './pattern-text.ts';
import type { PatternView } from './patterns.ts';

const view = (more: Partial<PatternView> = {}): PatternView => ({
  url: 'https://example.org/news/',
  site: 'example.org',
  kind: 'daily',
  zone: 'Europe/Paris',
  periods: 24,
  period: 3600,
  group: 1,
  groupPages: 12,
  observations: 58,
  changes: 21,
  changesPerDay: 3.4567,
  confidence: 0.724,
  weigh: 'importance',
  threshold: 0.153,
  factor: 1,
  firstAt: Date.UTC(2026, 2, 2, 8),
  lastAt: Date.UTC(2026, 2, 8, 20, 30),
  pattern: [{ label: '', values: Array.from({ length: 24 }, (_, hour) => hour) }],
  rate: [],
  ...more,
});

describe('bars', () => {
  it('from nothing to the most => empty to full', () => {
    expect(bars([0, 0.01, 0.5, 0.99, 1], 1)).toBe(' ▁▅██');
    expect(bars([0, 0], 0)).toBe('  ');
  });
});

describe('patternText', () => {
  it('a page with a day of 24 hours => facts, then hours over bars', () => {
    expect(patternText(view()).split('\n')).toEqual([
      'https://example.org/news/',
      '  daily: 24 periods of 1 h, Europe/Paris',
      '  seen 58 times (2026-03-02 08:00 to 2026-03-08 20:30), 21 changes seen, about 3.46 a day as the mean of its periods',
      '  confidence 0.72, learnt from importance, threshold 0.153, group 2 of 12 pages',
      '    0  3  6  9  12 15 18 21',
      '     ▁▁▂▂▂▃▃▃▄▄▄▅▅▅▆▆▆▇▇▇███',
    ]);
  });

  it('learnt from salience => it says so', () => {
    expect(patternText(view({ weigh: 'salience' }))).toContain('learnt from salience, threshold 0.153');
  });

  it('three visits within 8 s => no bars and no changes a day: what is missing', () => {
    const firstAt = Date.UTC(2026, 2, 2, 8);
    const short = view({
      firstAt,
      lastAt: firstAt + 8_000,
      observations: 3,
      changes: 2,
      changesPerDay: 21_600,
    });
    expect(patternText(short).split('\n')).toEqual([
      'https://example.org/news/',
      '  daily: 24 periods of 1 h, Europe/Paris',
      '  seen 3 times (2026-03-02 08:00 to 2026-03-02 08:00), 2 changes seen',
      '  confidence 0.72, learnt from importance, threshold 0.153, group 2 of 12 pages',
      '  no rhythm yet: its visits lie within 8 s; visits over at least a day, at several hours of it, are missing',
    ]);
    expect(patternLine(short)).not.toMatch(/changes a day|[▁-█]/u);
  });

  it('workdays and weekends => a row each, on one scale', () => {
    const rows = [
      { label: 'workdays', values: Array.from({ length: 24 }, () => 1) },
      { label: 'weekends', values: Array.from({ length: 24 }, () => 0.2) },
    ];
    const lines = patternText(view({ kind: 'workday-weekend', pattern: rows })).split('\n');
    expect(lines.slice(-3)).toEqual([
      '             0  3  6  9  12 15 18 21',
      `    workdays ${'█'.repeat(24)}`,
      `    weekends ${'▂'.repeat(24)}`,
    ]);
  });

  it('a week, a month => their own axis', () => {
    const week = [{ label: '', values: [0, 1, 1, 1, 1, 1, 0] }];
    const weekly = patternText(view({ kind: 'weekly', periods: 7, period: 86_400, pattern: week })).split(
      '\n',
    );
    expect(weekly[1]).toBe('  weekly: 7 periods of a day, Europe/Paris');
    expect(weekly.slice(-2)).toEqual(['    Su Mo Tu We Th Fr Sa', '       ██ ██ ██ ██ ██']);
    const month = [{ label: '', values: Array.from({ length: 31 }, (_, day) => day + 1) }];
    const monthly = patternText(view({ kind: 'monthly', periods: 31, period: 86_400, pattern: month })).split(
      '\n',
    );
    expect(monthly.at(-2)).toBe('    1   5    10   15   20   25   30');
  });

  it('flat => says so; gone => since when; a budget => its factor', () => {
    const flat = [{ label: '', values: Array.from({ length: 24 }, () => 0.1) }];
    expect(patternText(view({ pattern: flat }))).toContain('no rhythm, as far as these visits tell');
    expect(patternText(view())).not.toContain('no rhythm');
    expect(patternText(view({ goneAt: Date.UTC(2026, 2, 9) }))).toContain('gone since 2026-03-09 00:00');
    expect(patternText(view({ factor: 2.5 }))).toContain('(2.5 times its own, for the storage budget)');
    expect(patternLine(view({ pattern: flat }))).toBe(
      'https://example.org/news/\n  3.46 changes a day (21 seen in 58 visits, confidence 0.72)',
    );
    expect(patternLine(view())).toContain('▁▁▂▂▂▃▃▃▄▄▄▅▅▅▆▆▆▇▇▇███  3.46 changes a day');
  });

  it('a group => its pages and the shape they share', () => {
    const group = { site: 'example.org', kind: 'weekly' as const, number: 0, pages: 3, shape: [] };
    const rows = [{ label: '', values: [1, 0, 0, 0, 0, 0, 1] }];
    expect(groupText({ ...group, rows }).split('\n')).toEqual([
      'example.org, weekly, group 1: 3 pages share',
      '    Su Mo Tu We Th Fr Sa',
      '    ██                ██',
    ]);
  });
});
