import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePageSource } from './page-source.ts';

const NOW = Date.UTC(2026, 2, 10);

describe('parsePageSource', () => {
  const period = (text: string, from: number, to: number) => ({ kind: 'period', from, to, text });

  it.each([
    ['https://example.org/a@b@20260304', period('20260304', Date.UTC(2026, 2, 4), Date.UTC(2026, 2, 5) - 1)],
    ['https://example.org/a@b@2026-03', period('2026-03', Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1) - 1)],
    [
      'https://example.org/a@b@20260301120000',
      period('20260301120000', Date.UTC(2026, 2, 1, 12), Date.UTC(2026, 2, 1, 12, 0, 1) - 1),
    ],
    [
      'example.org/a@b@2026-03-01T12:00Z',
      period('2026-03-01T12:00Z', Date.UTC(2026, 2, 1, 12), Date.UTC(2026, 2, 1, 12, 1) - 1),
    ],
    ['https://example.org/a@b@first', { kind: 'first' }],
    ['https://example.org/a@b@Last', { kind: 'last' }],
    ['https://example.org/a@b@3d', { kind: 'moment', at: Date.UTC(2026, 2, 7) }],
  ])('%s => a capture', (text, time) => {
    expect(parsePageSource(text, NOW)).toEqual({ kind: 'capture', url: 'https://example.org/a@b', time });
  });

  it.each([
    ['https://Example.org', 'https://example.org/', false],
    ['example.org', 'https://example.org/', true],
    ['https://medium.com/@user', 'https://medium.com/@user', false],
    ['https://maps.example.org/@52.5,13.4', 'https://maps.example.org/@52.5,13.4', false],
    ['localhost:8080/a', 'http://localhost:8080/a', true],
  ])('%s => live', (text, url, assumed) => {
    expect(parsePageSource(text, NOW)).toEqual({ kind: 'live', url, assumed });
  });

  it('what begins like a time and is none => an error that shows how', () => {
    expect(() => parsePageSource('https://example.org/@2026-3-1x', NOW)).toThrow(/is no time.*first, last/s);
  });

  it('files => pages and layouts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'daguerre-'));
    await writeFile(join(folder, 'a.html'), '');
    await writeFile(join(folder, 'a.xml'), '');
    expect(parsePageSource(join(folder, 'a.html'), NOW).kind).toBe('file');
    expect(parsePageSource(join(folder, 'a.xml'), NOW).kind).toBe('layout');
    expect(() => parsePageSource(folder, NOW)).toThrow(/is no file/);
  });

  it('anything else => an error that says what can be given', () => {
    expect(() => parsePageSource('nothing.html', NOW)).toThrow(/neither an existing file nor a URL/);
  });
});
