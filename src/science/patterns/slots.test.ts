import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PATTERN_KINDS, slotPlan, spread } from './slots.ts';
import { UnknownZoneError, zoneOffset } from './zone.ts';

const at = (text: string): number => Date.parse(text) / 1000;

test('Berlin => +1 h in winter, +2 h in summer, switched at 01:00 UTC', () => {
  const berlin = zoneOffset('Europe/Berlin');
  expect(berlin(at('2022-03-27T00:59:59Z'))).toBe(3600);
  expect(berlin(at('2022-03-27T01:00:00Z'))).toBe(7200);
  expect(berlin(at('2022-10-30T00:59:59Z'))).toBe(7200);
  expect(berlin(at('2022-10-30T01:00:00Z'))).toBe(3600);
});

test('Kathmandu => quarter hours; an unknown zone is refused', () => {
  expect(zoneOffset('Asia/Kathmandu')(at('2022-01-01T00:00:00Z'))).toBe(5.75 * 3600);
  expect(() => zoneOffset('Europe/Atlantis')).toThrow(UnknownZoneError);
});

test('one moment, two zones => two slots', () => {
  const moment = at('2022-06-01T22:30:00Z');
  expect(slotPlan('daily', { zone: 'Europe/Paris' }).slotOf(moment)).toBe(0);
  expect(slotPlan('daily', { zone: 'America/Martinique' }).slotOf(moment)).toBe(18);
});

test('kinds => class and period', () => {
  const saturday = at('2022-06-04T13:00:00Z');
  const friday = at('2022-06-03T13:00:00Z');
  expect(slotPlan('workday-weekend').slotOf(friday)).toBe(13);
  expect(slotPlan('workday-weekend').slotOf(saturday)).toBe(24 + 13);
  expect(slotPlan('day-of-week').slotOf(saturday)).toBe(6 * 24 + 13);
  expect(slotPlan('weekly').slotOf(saturday)).toBe(6);
  expect(slotPlan('monthly').slotOf(saturday)).toBe(3);
  expect(slotPlan('daily', { periods: 6 }).slotOf(friday)).toBe(3);
  const holiday = slotPlan('holiday', { isHoliday: (date) => date === '2022-06-03' });
  expect(holiday.slotOf(friday)).toBe(48 + 13);
  expect(holiday.slotOf(saturday)).toBe(24 + 13);
});

test.each(['2022-03-27', '2022-10-30'])(
  'a day with a switch of the clock (%s) => 23 or 25 hours, each in its slot',
  (day) => {
    const plan = slotPlan('daily', { zone: 'Europe/Berlin' });
    const hours = new Float64Array(24);
    const from = at(`${day}T00:00:00Z`) - zoneOffset('Europe/Berlin')(at(`${day}T00:00:00Z`));
    spread(plan, from, from + (day === '2022-03-27' ? 23 : 25) * 3600, (slot, length) => {
      hours[slot] = (hours[slot] as number) + length;
    });
    const expected = Array.from({ length: 24 }, (_, slot) => (slot !== 2 ? 1 : day === '2022-03-27' ? 0 : 2));
    expect([...hours]).toEqual(expected);
  },
);

test('a gap is spread without loss, whatever the kind, the zone and the number of periods', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PATTERN_KINDS),
      fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
      fc.constantFrom(1, 5, 7, 24, 30, 120),
      fc.integer({ min: 1_640_000_000, max: 1_680_000_000 }),
      fc.integer({ min: 0, max: 200_000 }),
      (kind, zone, periods, from, length) => {
        const plan = slotPlan(kind, { zone, periods });
        let hours = 0;
        spread(plan, from, from + length, (slot, part) => {
          expect(slot).toBeGreaterThanOrEqual(0);
          expect(slot).toBeLessThan(plan.slots);
          hours += part;
        });
        expect(hours).toBeCloseTo(length / 3600, 6);
      },
    ),
    { numRuns: 60 },
  );
});

test('shares of time sum to 1', () => {
  for (const kind of PATTERN_KINDS) {
    expect(slotPlan(kind).share.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 2);
  }
});

test('0 periods => refused', () => {
  expect(() => slotPlan('daily', { periods: 0 })).toThrow(/1 to 1440/);
});
