import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageSighting } from '../../model/pattern.ts';
import { type FollowedPage, followOn, followPage, inOrder } from './follow-page.ts';
import { fitLearner, patternOf } from './learn.ts';
import { learntPattern } from './learnt-pattern.ts';
import { gapBetween } from './sightings.ts';
import { slotPlan } from './slots.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Monday, 2 March 2026, 00:00 UTC. */
const START = Date.UTC(2026, 2, 2);

const there = (hour: number, sha256: string, more: Partial<PageSighting> = {}): PageSighting => ({
  at: START + hour * HOUR,
  state: 'there',
  sha256,
  ...more,
});
const gone = (hour: number): PageSighting => ({ at: START + hour * HOUR, state: 'gone', sha256: 'gone' });

/** Seen every hour for some days; changed after each hour for which `works` is true. */
function watched(days: number, works: (hour: number, weekday: number) => boolean): PageSighting[] {
  let version = 0;
  return Array.from({ length: days * 24 }, (_, hour) => {
    const before = new Date(START + (hour - 1) * HOUR);
    if (works(before.getUTCHours(), before.getUTCDay())) version++;
    return there(hour, `v${version}`);
  });
}

describe('gapBetween', () => {
  const told = (before: PageSighting, now: PageSighting): string | number => {
    const { changed, importance } = gapBetween(before, now);
    return changed ? importance : 'same';
  };

  it('payloads differ => changed, of weight 1 unless a delta tells it', () => {
    expect(told(there(0, 'a'), there(1, 'b'))).toBe(1);
    expect(told(there(0, 'a'), there(1, 'b', { importance: 0.2 }))).toBe(0.2);
    expect(told(there(0, 'a'), there(1, 'a', { importance: 0.2 }))).toBe('same');
  });

  it('bytes differ and looks do not => unchanged; looks differ under the same bytes => changed', () => {
    const look = (name: string, importance: number) => ({ look: name, importance });
    expect(told(there(0, 'a', look('x', 1)), there(1, 'b', look('x', 0)))).toBe('same');
    expect(told(there(0, 'b', look('x', 0)), there(1, 'b', look('y', 0.3)))).toBe(0.3);
    expect(told(there(0, 'b'), there(1, 'b', look('y', 0.3)))).toBe('same');
  });
});

describe('followPage', () => {
  it('never seen, seen once, only gone => nothing', () => {
    expect(followPage([])).toBeUndefined();
    expect(followPage([there(5, 'a')])).toBeUndefined();
    expect(followPage([gone(1), gone(2)])).toBeUndefined();
  });

  it('seen twice => one gap', () => {
    const state = followPage([there(0, 'a'), there(2, 'b', { look: 'x' })]);
    expect(state).toMatchObject({
      kind: 'daily',
      observations: 2,
      changes: 1,
      firstAt: START,
      lastAt: START + 2 * HOUR,
      lastSha256: 'b',
      lastLook: 'x',
    });
    expect(state?.sums.hours.reduce((sum, hours) => sum + hours, 0)).toBeCloseTo(2);
  });

  it('a page that dies => its pattern stays; one that comes back begins a new life', () => {
    const alive = followPage([there(0, 'a'), there(1, 'b')]);
    const dead = followPage([there(0, 'a'), there(1, 'b'), gone(2), gone(3)]);
    expect(dead).toEqual({ ...alive, goneAt: START + 2 * HOUR });
    const back = followPage([there(0, 'a'), there(1, 'b'), gone(2), there(9, 'c')]);
    expect(back).toMatchObject({ observations: 3, changes: 1, lastSha256: 'c' });
    expect([back?.goneAt, back?.sums]).toEqual([undefined, alive?.sums]);
    expect(followPage([there(0, 'a'), gone(1), there(2, 'b')])).toBeUndefined();
  });

  it('the same moment twice => the first of it', () => {
    expect(inOrder([there(1, 'b'), there(0, 'a'), there(1, 'c')])).toEqual([there(0, 'a'), there(1, 'b')]);
  });

  it('in steps, or at once => the same to the last digit', () => {
    const sightings = fc.uniqueArray(
      fc.record({
        at: fc.nat(4_000).map((quarter) => START + quarter * 900_000),
        state: fc.constantFrom<PageSighting['state'][]>('there', 'there', 'there', 'there', 'gone'),
        sha256: fc.constantFrom('a', 'b'),
      }),
      { selector: ({ at }) => at, minLength: 2, maxLength: 40 },
    );
    fc.assert(
      fc.property(sightings, fc.array(fc.nat(10), { maxLength: 20 }), (list, steps) => {
        const all = inOrder(list);
        let state: FollowedPage | undefined;
        let read = 0;
        for (const step of [...steps, all.length]) {
          const fresh = all.slice(read, read + step);
          read += fresh.length;
          // A round trip through JSON, as when stored.
          const kept = state && (JSON.parse(JSON.stringify(state)) as FollowedPage);
          state = (kept && followOn(kept, fresh)) ?? followPage(all.slice(0, read));
        }
        expect(state).toEqual(followPage(list));
      }),
    );
  });

  it('eight weeks that rest at weekends => workday-weekend, chosen at three and six weeks; in steps too', () => {
    const all = watched(56, (hour, weekday) => hour >= 7 && hour < 19 && weekday > 0 && weekday < 6);
    const whole = followPage(all);
    expect(whole?.kind).toBe('workday-weekend');
    let state = followPage(all.slice(0, 24));
    expect(state?.kind).toBe('daily');
    let choices = 0;
    for (let day = 1; day < 56; day++) {
      const fresh = all.slice(24 * day, 24 * (day + 1));
      const next = state && followOn(state, fresh);
      if (!next) choices++;
      state = next ?? followPage(all.slice(0, 24 * (day + 1)));
    }
    // After 1.3, 2.6, 5.3, 10.5, 21 and 42 days; the first, at 16 hours, falls within the first day.
    expect(choices).toBe(6);
    expect(state).toEqual(whole);
  });

  it('half a year unseen => no hour is told apart by it, and the page counts as slower', () => {
    const all = watched(28, (hour) => hour >= 7 && hour < 19);
    const last = all.at(-1) as PageSighting;
    const later = (sha256: string) =>
      [0, 1].map((hour) => ({ ...last, at: last.at + 182 * DAY + hour * HOUR, sha256 }));
    const rateOf = (sightings: PageSighting[]) =>
      learntPattern((followPage(sightings) as FollowedPage).sums, slotPlan('daily')).rate;
    const before = rateOf(all);
    const after = rateOf([...all, ...later(last.sha256)]);
    expect(after[12]).toBeGreaterThan(3 * (after[2] as number));
    expect(after[12]).toBeLessThan(before[12] as number);
  });

  it('step by step => near the fit of the whole by EM', () => {
    const all = watched(14, (hour) => hour >= 8 && hour < 16 && hour % 2 === 0);
    const gaps = all.slice(1).map((now, index) => gapBetween(all[index] as PageSighting, now));
    const plan = slotPlan('daily');
    const fitted = patternOf(fitLearner(gaps, plan)).rate;
    const online = learntPattern((followPage(all) as FollowedPage).sums, plan).rate;
    for (let hour = 0; hour < 24; hour++)
      expect(Math.abs((online[hour] as number) - (fitted[hour] as number))).toBeLessThan(0.15);
  });

  it('older than the last sighting => the past is asked for', () => {
    const state = followPage([there(5, 'a'), there(9, 'b')]) as FollowedPage;
    expect(followOn(state, [there(7, 'a')])).toBeUndefined();
    expect(followOn(state, [there(9, 'b')])).toBeUndefined();
    expect(followOn({ ...state, goneAt: START + 12 * HOUR }, [there(10, 'b')])).toBeUndefined();
    expect(followOn(state, [])).toEqual(state);
    expect(followOn(state, [there(10, 'c')])).toMatchObject({
      observations: 3,
      lastAt: START + 10 * HOUR,
    });
  });
});
