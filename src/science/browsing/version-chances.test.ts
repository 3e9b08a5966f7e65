import { describe, expect, it } from 'vitest';
import { seededNumbers } from '../quality/draws.ts';
import { type ChoiceCase, likelier, versionChances } from './version-chances.ts';

const HOUR = 3600;
const flat = (rate: number) => (from: number, to: number) => ((to - from) / HOUR) * rate;
/** Changes only from 8 to 20 h, one an hour. */
const byDay = (from: number, to: number): number => {
  let sum = 0;
  for (let t = from; t < to; t += 60) {
    const hour = (t / HOUR) % 24;
    if (hour >= 8 && hour < 20) sum += 1 / 60;
  }
  return sum;
};
const gap = (at: number, more: Partial<ChoiceCase> = {}): ChoiceCase => ({
  at: at * HOUR,
  before: 0,
  after: 24 * HOUR,
  areEqual: false,
  expected: flat(0.1),
  ...more,
});

describe('chances of the captures around a moment', () => {
  it.each([0.001, 0.1, 5])(
    'one constant rate of %f an hour => the closest, and the chances add up',
    (rate) => {
      for (const at of [1, 6, 11.9, 12.1, 18, 23]) {
        const chances = versionChances(gap(at, { expected: flat(rate) }));
        expect(likelier(chances)).toBe(at <= 12 ? 'before' : 'after');
        expect(chances.before + chances.after + chances.neither).toBeCloseTo(1, 9);
      }
    },
  );

  it('a quiet night => what stood there in the evening, however far it is', () => {
    const night = { before: 7 * HOUR, after: 31.5 * HOUR, expected: byDay };
    // 30 h is 6 h the next morning: 23 h after the capture before, and 1.5 h before the one after.
    expect(likelier(versionChances(gap(30, night)))).toBe('after');
    const early = { before: 20 * HOUR, after: 33 * HOUR, expected: byDay };
    // 31.5 h is 7.5 h: all the time since the capture before was night, and an hour of day lies ahead.
    expect(likelier(versionChances(gap(31.5, early)))).toBe('before');
    expect(versionChances(gap(31.5, early)).before).toBeGreaterThan(0.95);
  });

  it('Poisson by simulation => the same three chances (k → ∞)', () => {
    const random = seededNumbers(7);
    const [early, late] = [0.7, 1.3];
    const counts = { before: 0, after: 0, neither: 0 };
    let cases = 0;
    while (cases < 40_000) {
      const [first, second] = [random() < Math.exp(-early), random() < Math.exp(-late)];
      if (first && second) continue;
      cases++;
      counts[first ? 'before' : second ? 'after' : 'neither']++;
    }
    const expected = (from: number, to: number) => (from < 7 * HOUR ? early : 0) + (to > 7 * HOUR ? late : 0);
    const chances = versionChances(gap(7, { expected }), Number.POSITIVE_INFINITY);
    for (const name of ['before', 'after', 'neither'] as const)
      expect(chances[name]).toBeCloseTo(counts[name] / cases, 1.7);
  });

  it('equal captures => that one, and less sure the more was expected to happen', () => {
    const [calm, lively] = [0.01, 3].map((rate) =>
      versionChances(gap(12, { areEqual: true, expected: flat(rate) })),
    );
    expect(calm?.before).toBeGreaterThan(0.99);
    expect(lively?.before).toBeLessThan(calm?.before as number);
    expect(lively?.neither).toBeCloseTo(1 - (lively?.before as number), 9);
  });

  it('one capture alone => sure at its own time, less and less so away from it', () => {
    const { after: _, ...last } = gap(0);
    expect(versionChances(last)).toEqual({ before: 1, after: 0, neither: 0 });
    const later = versionChances({ ...last, at: 48 * HOUR });
    expect([later.after, likelier(later)]).toEqual([0, 'before']);
    expect(later.before).toBeLessThan(0.5);
  });

  it('Last-Modified of the capture after => it from then on, the one before up to then', () => {
    const evidence = [
      { kind: 'changed', at: 2 * HOUR },
      { kind: 'unchanged', from: 2 * HOUR, to: 24 * HOUR },
    ] as const;
    expect(likelier(versionChances(gap(3, { evidence })))).toBe('after');
    expect(versionChances(gap(3, { evidence })).after).toBeGreaterThan(0.94);
    expect(likelier(versionChances(gap(1, { evidence })))).toBe('before');
  });

  it('changes dated on both sides => neither; a date outside the gap => no evidence', () => {
    const both = [2, 20].map((hour) => ({ kind: 'changed', at: hour * HOUR }) as const);
    expect(versionChances(gap(12, { evidence: both })).neither).toBeGreaterThan(0.9);
    const outside = [{ kind: 'changed', at: 30 * HOUR }] as const;
    expect(versionChances(gap(9, { evidence: outside }))).toEqual(versionChances(gap(9)));
  });

  it('a teaser that names the later version => that one; nothing expected at all => by distance', () => {
    const named = versionChances(gap(10, { likelihood: { before: 0.1, after: 1 } }));
    expect(likelier(named)).toBe('after');
    expect(named.before + named.after + named.neither).toBeCloseTo(1, 9);
    expect(versionChances(gap(6, { expected: () => 0 }))).toEqual({ before: 0.75, after: 0.25, neither: 0 });
  });
});
