import { expect, test } from 'vitest';
import { element, page } from '../../../test/drawn-page.ts';
import { probabilities } from '../../science/layout/importance/logistic.ts';
import { annotatedSamples, type Sample } from './annotated-blocks.ts';
import { crossValidate, majority, scores } from './evaluate.ts';
import { trainLogistic } from './train-logistic.ts';

test('three separable groups => each told apart', () => {
  const centres = [
    [0, 0],
    [4, 0],
    [0, 4],
  ];
  const features = centres.flatMap(([x = 0, y = 0]) =>
    [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [x + dx, y + dy])),
  );
  const labels = features.map((_, i) => Math.floor(i / 9));
  const model = trainLogistic(['x', 'y'], { features, labels }, { classes: 3, penalty: 0.001, steps: 500 });
  const said = features.map((row) => {
    const p = probabilities(model, row);
    return p.indexOf(Math.max(...p));
  });
  expect(said).toEqual(labels);
});

test('the weights that training ends with => where the gradient of the penalised loss is 0', () => {
  const features = [[-2], [-1], [0.5], [1], [3], [-0.5]];
  const labels = [0, 0, 1, 1, 1, 1];
  const penalty = 0.1;
  const model = trainLogistic(['x'], { features, labels }, { classes: 2, penalty, steps: 4000 });
  // Classes weigh alike: 2 and 4 samples have weights 1.5 and 0.75.
  let gradient = 0;
  features.forEach((row, i) => {
    const scaled = ((row[0] as number) - (model.mean[0] as number)) / (model.scale[0] as number);
    const [p = 0] = probabilities(model, row);
    gradient += ((labels[i] === 0 ? 1.5 : 0.75) / 6) * (p - (labels[i] === 0 ? 1 : 0)) * scaled;
  });
  expect(gradient + penalty * (model.weights[0]?.[1] as number)).toBeCloseTo(0, 6);
});

test('a feature that never varies, a class nobody has => still numbers', () => {
  const model = trainLogistic(
    ['x'],
    { features: [[1], [1]], labels: [0, 1] },
    { classes: 3, penalty: 0.1, steps: 50 },
  );
  const p = probabilities(model, [1]);
  expect(p.every(Number.isFinite)).toBe(true);
});

test('labels 0 0 1 3, said 0 1 1 3 => F1 2/3, 2/3, 0, 1', () => {
  const { macroF1, accuracy, levels } = scores([0, 0, 1, 3], [0, 1, 1, 3]);
  expect(levels.map((level) => level.f1)).toEqual([expect.closeTo(2 / 3), expect.closeTo(2 / 3), 0, 1]);
  expect(macroF1).toBeCloseTo((2 / 3 + 2 / 3 + 0 + 1) / 4);
  expect(accuracy).toBe(0.75);
});

test('cross-validation => no sample is judged by a model that saw its site', () => {
  const samples: Sample[] = ['a', 'a', 'b', 'c'].map((site) => ({
    site,
    type: 'Ad',
    label: 0,
    features: [],
  }));
  const seen: string[][] = [];
  crossValidate(samples, 3, (rest) => {
    seen.push([...new Set(rest.map((s) => s.site))]);
    return { features: [], mean: [], scale: [], weights: [[0]] };
  });
  expect(seen).toEqual([
    ['b', 'c'],
    ['a', 'c'],
    ['a', 'b'],
  ]);
  expect(majority(samples)).toEqual([0, 0, 0, 0]);
});

test('marks inside a mark => the inner ones only', () => {
  const mark = (type: string) => ({ 'data-block': '2', 'data-block-type': type });
  const snapshot = page(
    element(
      'body',
      mark('Content'),
      element('div', {}, element('div', mark('Article'), 'text')),
      element('div', mark('Ad'), 'buy'),
      element('div', mark('Unheard'), 'x'),
    ),
  );
  expect(annotatedSamples('s', snapshot).map(({ type, label }) => [type, label])).toEqual([
    ['Article', 3],
    ['Ad', 0],
  ]);
});
