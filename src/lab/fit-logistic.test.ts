import { expect, test } from 'vitest';
import { probabilities } from '../science/layout/importance/logistic.ts';
import { fitLogistic } from './fit-logistic.ts';

/** p of class 1 of two. */
const yes = (model: Parameters<typeof probabilities>[0], x: number): number =>
  probabilities(model, [x])[1] as number;

test('one feature that is 0 or 1 => the share of each group', () => {
  const group = (feature: number, ones: number, zeros: number) => [
    { features: [feature], label: 1, weight: ones },
    { features: [feature], label: 0, weight: zeros },
  ];
  const model = fitLogistic(['x'], [...group(0, 1, 3), ...group(1, 4, 1)], {
    classes: 2,
    penalty: 0,
    steps: 5000,
  });
  expect(yes(model, 0)).toBeCloseTo(1 / 4, 4);
  expect(yes(model, 1)).toBeCloseTo(4 / 5, 4);
});

test('separable examples with a penalty => finite weights of the right sign', () => {
  const examples = [-2, -1, 1, 2].map((x) => ({ features: [x, 5], label: x > 0 ? 1 : 0, weight: 1 }));
  const { weights } = fitLogistic(['x', 'constant'], examples, { classes: 2, penalty: 1, steps: 5000 });
  expect(weights[1]?.[1]).toBeGreaterThan(0);
  expect(weights[1]?.[1]).toBeLessThan(10);
  expect(weights[1]?.[2]).toBeCloseTo(0, 9);
});

test('all labels equal => a large intercept, no weights', () => {
  const examples = [{ features: [1], label: 1, weight: 1 }];
  const { weights } = fitLogistic(['x'], examples, { classes: 2, penalty: 1, steps: 5000 });
  expect((weights[1]?.[0] as number) - (weights[0]?.[0] as number)).toBeGreaterThan(3);
  expect(weights[1]?.[1]).toBeCloseTo(0, 9);
});

test('three separable groups => each told apart', () => {
  const centres = [
    [0, 0],
    [4, 0],
    [0, 4],
  ];
  const examples = centres.flatMap(([x = 0, y = 0], label) =>
    [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => ({ features: [x + dx, y + dy], label, weight: 1 }))),
  );
  const model = fitLogistic(['x', 'y'], examples, { classes: 3, penalty: 0.001, steps: 5000 });
  for (const { features, label } of examples) {
    const p = probabilities(model, features);
    expect(p.indexOf(Math.max(...p))).toBe(label);
  }
});

test('the weights that training ends with => where the gradient of the penalised loss is 0', () => {
  const labels = [0, 0, 1, 1, 1, 1];
  const examples = [-2, -1, 0.5, 1, 3, -0.5].map((x, i) => ({
    features: [x],
    label: labels[i] as number,
    weight: labels[i] === 0 ? 0.25 : 0.125,
  }));
  const penalty = 0.1;
  const model = fitLogistic(['x'], examples, { classes: 2, penalty, steps: 5000 });
  let gradient = penalty * (model.weights[0]?.[1] as number);
  for (const { features, label, weight } of examples) {
    const scaled = ((features[0] as number) - (model.mean[0] as number)) / (model.scale[0] as number);
    gradient += weight * ((probabilities(model, features)[0] as number) - (label === 0 ? 1 : 0)) * scaled;
  }
  expect(gradient).toBeCloseTo(0, 9);
});

test('a feature that never varies, a class nobody has => still numbers', () => {
  const examples = [0, 1].map((label) => ({ features: [1], label, weight: 1 }));
  const model = fitLogistic(['x'], examples, { classes: 3, penalty: 0.1, steps: 5000 });
  expect(probabilities(model, [1]).every(Number.isFinite)).toBe(true);
});
