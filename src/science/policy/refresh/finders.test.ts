import { describe, expect, it } from 'vitest';
import { findingWorth, newFinders, noteFinds } from './finders.ts';

const finder = (finds: number, hours: number, price = 0) => {
  const finders = newFinders();
  finders.price = price;
  const found = Array.from({ length: finds }, () => ({ worth: 0.5, haste: 0.2 }));
  noteFinds(finders, 7, { hours, found });
  return finders;
};

describe('pages that show others', () => {
  it('4 pages of worth 0.5 in 12 h and the 12 h it began with, overwritten at 0.2 an hour => (1/12)/0.2·(1 − 2/e) after 5 h', () => {
    expect(findingWorth(finder(4, 12), 7, 5)).toBeCloseTo((1 / 12 / 0.2) * (1 - 2 / Math.E), 12);
  });

  it('a first visit costs as much as the page is worth => nothing; another page => nothing', () => {
    expect(findingWorth(finder(4, 12, 0.5), 7, 5)).toBe(0);
    expect(findingWorth(finder(4, 12), 8, 5)).toBe(0);
  });

  it('never found any, or no time passed => not noted', () => {
    expect(finder(0, 12).byPage.size).toBe(0);
    expect(finder(3, 0).byPage.size).toBe(0);
  });

  it('longer waits => worth more, never beyond νu/μ; series and closed form meet', () => {
    const finders = finder(4, 12);
    const worths = [0, 0.01, 0.0499, 0.0501, 1, 10, 100, 1e6].map((hours) => findingWorth(finders, 7, hours));
    expect(worths[0]).toBe(0);
    for (let i = 1; i < worths.length; i++) expect(worths[i]).toBeGreaterThan(worths[i - 1] as number);
    expect(worths.at(-1)).toBeCloseTo(1 / 12 / 0.2, 9);
    expect((worths[3] as number) / (worths[2] as number)).toBeLessThan(1.02);
  });

  it('finds dry up => in the end next to nothing', () => {
    const finders = finder(40, 40);
    const before = findingWorth(finders, 7, 1);
    for (let k = 0; k < 400; k++) noteFinds(finders, 7, { hours: 10, found: [] });
    expect(findingWorth(finders, 7, 1)).toBeLessThan(before / 50);
  });
});
