import { describe, expect, it } from 'vitest';
import { DAY, dayOf, HOUR, hourOf, isWeekend } from './days.ts';
import { stream } from './random.ts';
import { eventTimes, hourlyRate, intensity, RHYTHMS } from './rhythms.ts';

const MONDAY = dayOf(Date.UTC(2026, 10, 16));

describe('rhythms', () => {
  it('hourly rates of a week => sum is seven times the events per day', () => {
    for (const rhythm of Object.values(RHYTHMS)) {
      let sum = 0;
      for (let hour = 0; hour < 7 * 24; hour++) sum += hourlyRate(rhythm, MONDAY * DAY + hour * HOUR);
      expect(sum).toBeCloseTo(7 * rhythm.perDay, 9);
    }
  });

  it('each rhythm => 24 hours, 7 weekdays', () => {
    for (const { hours, weekdays } of Object.values(RHYTHMS))
      expect([hours.length, weekdays.length]).toEqual([24, 7]);
  });

  it('economy at weekends => rate and intensity 0', () => {
    const saturdayNoon = (MONDAY + 5) * DAY + 12 * HOUR;
    expect(hourlyRate(RHYTHMS.economy, saturdayNoon)).toBe(0);
    expect(intensity(RHYTHMS.economy, saturdayNoon)).toBe(0);
  });

  it('sport peaks on Sunday evening', () => {
    const rates = Array.from({ length: 7 * 24 }, (_, h) =>
      hourlyRate(RHYTHMS.sport, MONDAY * DAY + h * HOUR),
    );
    const peak = rates.indexOf(Math.max(...rates));
    expect([Math.floor(peak / 24), peak % 24]).toEqual([6, 19]);
  });

  it('events of 70 days => as many as the rate says, whole seconds, ascending, more by day than by night', () => {
    let [count, day, night] = [0, 0, 0];
    for (let d = MONDAY; d < MONDAY + 70; d++) {
      const times = eventTimes(RHYTHMS.politics, d, 3, stream('test', d));
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
      for (const time of times) {
        expect(time % 1000).toBe(0);
        expect(dayOf(time)).toBe(d);
        count++;
        if (hourOf(time) >= 8 && hourOf(time) < 20) day++;
        else night++;
      }
    }
    expect(Math.abs(count / 70 - 12)).toBeLessThan(1.5);
    expect(day).toBeGreaterThan(2 * night);
    expect(isWeekend(MONDAY + 5)).toBe(true);
  });
});
