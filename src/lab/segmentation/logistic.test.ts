import { expect, test } from 'vitest';
import { fitLogistic } from './logistic.ts';

test('one feature that is 0 or 1 => the log-odds of each group', () => {
  const group = (feature: number, yes: number, no: number) => [
    { features: [feature], label: 1 as const, weight: yes },
    { features: [feature], label: 0 as const, weight: no },
  ];
  const { intercept, weights } = fitLogistic([...group(0, 1, 3), ...group(1, 4, 1)], 0);
  expect(intercept).toBeCloseTo(Math.log(1 / 3), 4);
  expect(intercept + (weights[0] as number)).toBeCloseTo(Math.log(4), 4);
});

test('separable examples with a ridge => finite weights of the right sign', () => {
  const examples = [-2, -1, 1, 2].map((x) => ({
    features: [x, 5],
    label: x > 0 ? (1 as const) : (0 as const),
    weight: 1,
  }));
  const { weights } = fitLogistic(examples, 0.5);
  expect(weights[0]).toBeGreaterThan(0);
  expect(weights[0]).toBeLessThan(10);
  expect(weights[1]).toBeCloseTo(0, 9);
});

test('all labels equal => a large intercept, no weights', () => {
  const { intercept, weights } = fitLogistic([{ features: [1], label: 1, weight: 1 }], 1);
  expect(intercept).toBeGreaterThan(3);
  expect(weights[0]).toBeCloseTo(0, 9);
});
