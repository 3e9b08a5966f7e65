import { expect, it } from 'vitest';
import type { CheckRow } from '../api.ts';
import { isMendable, progressOf, screenShare, verdictFor } from './verdicts.ts';

const check = (at: number, more: Partial<CheckRow> = {}): CheckRow => ({
  ...{ url: 'https://a.org/', at, madeAt: at + 1, verdict: 'whole', score: 1 },
  ...{ missing: [], missingCount: 0, lost: [], lostCount: 0, neverHad: 0, facts: [] },
  ...more,
});

it('the version that is looked at => its own verdict; without one the newest; none => undefined', () => {
  const checks = [check(30), check(10)];
  expect(verdictFor(checks, 10)?.at).toBe(10);
  expect(verdictFor(checks, 20)?.at).toBe(30);
  expect(verdictFor([], 20)).toBeUndefined();
});

it('advertisements alone => nothing to mend', () => {
  const resource = { url: 'https://a.org/x', type: 'image', matters: 0.2 };
  expect(isMendable(check(1, { missing: [{ ...resource, advertisement: true }] }))).toBe(false);
  expect(isMendable(check(1, { missing: [{ ...resource, advertisement: true }, resource] }))).toBe(true);
});

it('a share of a screen => hundredths, one at least', () => {
  expect([0.338, 0.001].map(screenShare)).toEqual([34, 1]);
});

it('a check that runs => own or of another', () => {
  const running = { crawl: 7, mend: false, startedAt: 1 };
  expect(progressOf({ crawl: 7 }, { running })).toBe('own');
  expect(progressOf({ url: 'https://a.org/' }, { running })).toBe('other');
  expect(progressOf({ crawl: 7 }, {})).toBe('idle');
  const ofVersion = { url: 'https://a.org/', at: 10, mend: false, startedAt: 1 };
  expect(progressOf({ url: 'https://a.org/', at: 10 }, { running: ofVersion })).toBe('own');
  expect(progressOf({ url: 'https://a.org/', at: 20 }, { running: ofVersion })).toBe('other');
});
