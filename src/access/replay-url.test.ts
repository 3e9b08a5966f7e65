import { describe, expect, it } from 'vitest';
import { formatTimestamp, LATEST, parseReplayUrl, parseTimestamp } from './replay-url.ts';

const iso = (digits: string): string => new Date(parseTimestamp(digits) ?? 0).toISOString();

describe('parseReplayUrl', () => {
  it('/a/20240102030405id_/http://x.org/p?q=1 => capture, raw, query kept in the URL', () => {
    expect(parseReplayUrl('/a/20240102030405id_/http://x.org/p?q=1')).toEqual({
      kind: 'capture',
      collection: 'a',
      at: Date.UTC(2024, 0, 2, 3, 4, 5),
      modifier: 'id_',
      url: 'http://x.org/p?q=1',
    });
  });

  it.each(['mp_', 'if_', 'fr_', 'im_', 'cs_', 'js_', 'oe_', 'esm_', 'wkr_'])(
    'modifier %s => known',
    (mod) => {
      expect(parseReplayUrl(`/a/2024${mod}/http://x.org/`)).toMatchObject({ modifier: mod });
    },
  );

  it('no modifier => undefined modifier; no timestamp => latest', () => {
    expect(parseReplayUrl('/a/2024/http://x.org/')).toMatchObject({ modifier: undefined });
    expect(parseReplayUrl('/a/http://x.org/')).toMatchObject({ at: LATEST, url: 'http://x.org/' });
    expect(parseReplayUrl('/a/id_/http://x.org/')).toMatchObject({ at: LATEST, modifier: 'id_' });
  });

  it('* => list', () => {
    expect(parseReplayUrl('/a/*/http://x.org/')).toEqual({
      kind: 'list',
      collection: 'a',
      url: 'http://x.org/',
    });
  });

  it('http:/x.org (folded slash) and x.org:8080/p (no scheme) => whole URLs', () => {
    expect(parseReplayUrl('/a/2024id_/https:/x.org/p')).toMatchObject({ url: 'https://x.org/p' });
    expect(parseReplayUrl('/a/2024id_/x.org:8080/p')).toMatchObject({ url: 'http://x.org:8080/p' });
    expect(parseReplayUrl('/a/2024id_/x.org/p')).toMatchObject({ url: 'http://x.org/p' });
  });

  it('urn:view:http://x.org/ => kept', () => {
    expect(parseReplayUrl('/a/2024id_/urn:view:http://x.org/')).toMatchObject({
      url: 'urn:view:http://x.org/',
    });
  });

  it.each(['/a', '/a/', '/a/b', '/a//b', '/a/2024zz_/http://x.org/', '/a/123456789012345678id_/http://x/'])(
    '%s => no address',
    (path) => expect(parseReplayUrl(path)).toBeUndefined(),
  );
});

describe('timestamps', () => {
  it('partial => start of the period', () => {
    expect(iso('2024')).toBe('2024-01-01T00:00:00.000Z');
    expect(iso('202402')).toBe('2024-02-01T00:00:00.000Z');
    expect(iso('20241')).toBe('2024-10-01T00:00:00.000Z');
    expect(iso('20240229123456')).toBe('2024-02-29T12:34:56.000Z');
  });

  it('17 digits => milliseconds', () => {
    expect(iso('20240229123456789')).toBe('2024-02-29T12:34:56.789Z');
    expect(formatTimestamp(Date.UTC(2024, 1, 29, 12, 34, 56, 789))).toBe('20240229123456789');
    expect(formatTimestamp(Date.UTC(2024, 1, 29, 12, 34, 56))).toBe('20240229123456');
  });

  it('impossible parts => clamped, 99999999999999 => the last second of 9999', () => {
    expect(iso('20230231')).toBe('2023-02-28T00:00:00.000Z');
    expect(iso('99999999999999')).toBe('9999-12-31T23:59:59.000Z');
  });
});
