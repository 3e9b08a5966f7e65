import { expect, test } from 'vitest';
import { agreementOf } from './agreement.ts';

const times = (n: number, first: string, second: string) =>
  Array.from({ length: n }, () => [first, second] as const);

test('20 and 15 of 50 alike, 10 and 5 not => 0.7 observed, 0.5 by chance, kappa 0.4', () => {
  const pairs = [
    ...times(20, 'a', 'a'),
    ...times(5, 'a', 'b'),
    ...times(10, 'b', 'a'),
    ...times(15, 'b', 'b'),
  ];
  const { judged, agreed, kappa } = agreementOf(pairs);
  expect([judged, agreed]).toEqual([50, 35]);
  expect(kappa).toBeCloseTo(0.4, 10);
});

test('all alike, two answers => 1; one answer only => 1; never alike => below 0', () => {
  expect(agreementOf([...times(3, 'a', 'a'), ...times(3, 'b', 'b')]).kappa).toBe(1);
  expect(agreementOf(times(3, 'a', 'a')).kappa).toBe(1);
  expect(agreementOf([...times(3, 'a', 'b'), ...times(3, 'b', 'a')]).kappa).toBe(-1);
});

test('nothing judged twice => an error', () => {
  expect(() => agreementOf([])).toThrow('nothing was judged twice');
});
