import { describe, expect, test } from 'vitest';
import { holidays } from './holidays.ts';

const off = async (region: string, dates: readonly string[]) => {
  const isDayOff = await holidays(region);
  return dates.filter((date) => isDayOff?.(date));
};

describe('holidays', () => {
  test('a country => its public holidays, moveable feasts too', async () => {
    const dates = ['2022-04-18', '2022-04-19', '2022-10-03', '2022-11-01', '2023-04-10', '2022-12-24'];
    expect(await off('DE', dates)).toEqual(['2022-04-18', '2022-10-03', '2023-04-10']);
    expect(await off('fr', ['2022-07-14', '2022-10-03'])).toEqual(['2022-07-14']);
  });
  test('a part of a country => its own besides', async () => {
    expect(await off('DE-BY', ['2022-10-03', '2022-11-01'])).toEqual(['2022-10-03', '2022-11-01']);
  });
  test('a feast of several days => each of them', async () => {
    expect(await off('TR', ['2022-05-01', '2022-05-02', '2022-05-03', '2022-05-04'])).toEqual([
      '2022-05-01',
      '2022-05-02',
      '2022-05-03',
      '2022-05-04',
    ]);
  });
  test.each(['', 'Germany', 'XX', 'DE-ZZ', 'D'])('%j => undefined', async (region) => {
    expect(await holidays(region)).toBeUndefined();
  });
});
