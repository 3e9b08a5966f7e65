import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LATEST } from '../access/replay-url.ts';
import { parsePageSource } from './page-source.ts';

const NOW = Date.UTC(2026, 2, 10);

describe('parsePageSource', () => {
  it('a URL with a time => a capture', () => {
    const source = parsePageSource('https://example.org/a@b@20260304', NOW);
    expect(source).toEqual({ kind: 'capture', url: 'https://example.org/a@b', at: Date.UTC(2026, 2, 4) });
  });

  it('last, and how long ago => times, too', () => {
    expect(parsePageSource('https://a.org/@last', NOW)).toMatchObject({ kind: 'capture', at: LATEST });
    expect(parsePageSource('https://a.org/@3d', NOW)).toMatchObject({ at: Date.UTC(2026, 2, 7) });
  });

  it('a URL => live', () => {
    expect(parsePageSource('https://Example.org', NOW)).toEqual({
      kind: 'live',
      url: 'https://example.org/',
    });
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
