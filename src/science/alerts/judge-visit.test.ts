import { describe, expect, it } from 'vitest';
import type { AlertConditions, AlertRule } from '../../model/alert.ts';
import { judgeCapture, judgeVisit } from './judge-visit.ts';

const rule = (when: AlertConditions): AlertRule => ({
  name: 'r',
  where: {},
  when,
  digest: 'none',
  zone: 'UTC',
});
const was = (state: 'there' | 'gone') => ({ last: { state, at: 5 }, errors: 0, sizes: [] });
const gone = { found: 'gone', detail: 'the server answered 404' } as const;
const there = { found: 'there', detail: '' } as const;
const kinds = (told: readonly { readonly kind: string }[]): string[] => told.map(({ kind }) => kind);

describe('visits', () => {
  it('there, then 404 => gone, once; gone, then there => back', () => {
    const both = rule({ gone: true, back: true });
    expect(judgeVisit(both, { ...gone, past: was('there') })).toEqual([
      { kind: 'gone', summary: 'the page is gone: the server answered 404', from: 5 },
    ]);
    expect(judgeVisit(both, { ...gone, past: was('gone') })).toEqual([]);
    expect(judgeVisit(both, { ...gone, past: { errors: 0, sizes: [] } })).toEqual([]);
    expect(kinds(judgeVisit(both, { ...there, past: was('gone') }))).toEqual(['back']);
    expect(judgeVisit(both, { ...there, past: was('there') })).toEqual([]);
    expect(judgeVisit(rule({ salience: 0.1 }), { ...gone, past: was('there') })).toEqual([]);
  });

  it('the third failure in a row => told once', () => {
    const failing = (errors: number) =>
      judgeVisit(rule({ errors: 3 }), { found: 'error', detail: 'timeout', past: { errors, sizes: [] } });
    expect([0, 1, 2, 3].map((errors) => failing(errors).length)).toEqual([0, 0, 1, 0]);
  });

  it('40 bytes after 100, 110 and 90 => shrunk by 60 %; not after a single one', () => {
    const sized = (size: number, sizes: readonly number[]) =>
      judgeVisit(rule({ shrunk: 0.5 }), { ...there, size, past: { errors: 0, sizes } });
    expect(sized(40, [100, 110, 90])[0]?.summary).toMatch(/60 % smaller .* \(40 bytes, usually 100\)/);
    expect(sized(60, [100, 110, 90])).toEqual([]);
    expect(sized(40, [100])).toEqual([]);
    expect(sized(0, [])).toEqual([]);
  });
});

describe('captures of sites', () => {
  it('fewer pages than the last ones; a certificate below the share => told', () => {
    const both = rule({ shrunk: 0.3, certificate: 0.8 });
    expect(kinds(judgeCapture(both, { pages: 50, past: [100, 102, 98] }))).toEqual(['shrunk']);
    expect(judgeCapture(both, { pages: 50, past: [], sharp: { pages: 50, sharp: 30 } })).toEqual([
      { kind: 'certificate', summary: 'certificate .6 < .8: 30 of 50 pages are proven sharp' },
    ]);
    expect(judgeCapture(both, { pages: 0, past: [], sharp: { pages: 0, sharp: 0 } })).toEqual([]);
  });
});
