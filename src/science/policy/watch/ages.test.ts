import { describe, expect, it } from 'vitest';
import { type Ages, changesBetween, GROWN_UP, hazardAt, hazards, noteAges } from './ages.ts';

const kin = { site: 'a.example', directory: 'a.example /news/*' };
const other = { site: 'a.example', directory: 'a.example /sport/*' };
const elsewhere = { site: 'b.example', directory: 'b.example /news/*' };

describe('how pages change as they age', () => {
  it('nothing seen => ln((age + 3) / 3) changes up to an age; less an hour with every span', () => {
    const byAge = hazards(new Map(), kin);
    expect(changesBetween(byAge, 0, 27)).toBeCloseTo(Math.log(10), 12);
    expect(changesBetween(byAge, 0, GROWN_UP)).toBeCloseTo(Math.log(241), 12);
    expect(byAge.toSorted((a, b) => b - a)).toEqual(byAge);
    expect(hazardAt(byAge, 0)).toBe(byAge[0]);
    expect(hazardAt(byAge, 1e9)).toBe(byAge.at(-1));
  });

  it('three changes an hour in the first hour, none later => told apart, of the site too, not of another one', () => {
    const ages: Ages = new Map();
    const before = hazards(ages, kin);
    for (let k = 0; k < 50; k++) {
      noteAges(ages, kin, { from: 0, to: 1, changes: 3 });
      noteAges(ages, kin, { from: 1, to: 81, changes: 0 });
    }
    const byAge = hazards(ages, kin);
    expect(hazardAt(byAge, 0.5)).toBeCloseTo(3, 0);
    expect(hazardAt(byAge, 30)).toBeLessThan((before[4] as number) / 10);
    expect(hazardAt(hazards(ages, other), 0.5)).toBeGreaterThan(2.5);
    expect(hazards(ages, elsewhere)).toEqual(before);
  });

  it('one gap over all ages => its changes are shared out as expected: all of them, and more to the young hours', () => {
    const ages: Ages = new Map();
    noteAges(ages, kin, { from: 0, to: 100, changes: 2 });
    const { changes, hours } = ages.get(kin.directory) as { changes: number[]; hours: number[] };
    expect(changes.reduce((a, b) => a + b)).toBeCloseTo(2, 12);
    expect(hours.reduce((a, b) => a + b)).toBeCloseTo(100, 12);
    expect((changes[0] as number) / (hours[0] as number)).toBeGreaterThan(
      (changes[4] as number) / (hours[4] as number),
    );
  });

  it('no time passed => nothing is noted', () => {
    const ages: Ages = new Map();
    noteAges(ages, kin, { from: 3, to: 3, changes: 1 });
    expect(ages.size).toBe(0);
  });
});
