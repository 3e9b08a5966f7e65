import { expect, test } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { BLANK_PERIMETER } from './definition.ts';
import { chanceOf, fitLogOdds } from './fit-log-odds.ts';
import { fitWeights } from './fit-weights.ts';

/** Pages drawn with the chances that these weights give. */
function drawn(truth: readonly number[], pages: number, seed = 1) {
  const random = randomNumbers(seed);
  return Array.from({ length: pages }, () => {
    const features = [1, ...truth.slice(1).map(() => 2 * random() - 1)];
    const z = features.reduce((sum, x, j) => sum + x * (truth[j] as number), 0);
    return { features, belongs: random() < chanceOf(z) ? 1 : 0 };
  });
}

test('no judged pages => the weights one had', () => {
  expect(fitLogOdds([], [0.5, -2, 3])).toEqual([0.5, -2, 3]);
});

test('one judged page => hardly moved; many => those they were drawn from', () => {
  const truth = [-1, 2, 0.5];
  const [one] = [fitLogOdds(drawn(truth, 1), [0, 0, 0])];
  expect(Math.max(...one.map(Math.abs))).toBeLessThan(1);
  fitLogOdds(drawn(truth, 20_000), [3, 0, -3]).forEach((weight, j) => {
    expect(Math.abs(weight - (truth[j] as number))).toBeLessThan(0.15);
  });
});

test('pages that can be told apart without error => finite weights', () => {
  const examples = [-2, -1, 1, 2].map((x) => ({ features: [1, x], belongs: x > 0 ? 1 : 0 }));
  const [intercept = Number.NaN, slope = Number.NaN] = fitLogOdds(examples, [0, 0]);
  expect(Math.abs(intercept)).toBeLessThan(1e-6);
  expect(slope).toBeGreaterThan(1);
  expect(slope).toBeLessThan(10);
});

test('the weights it ends with => nowhere near them is the penalised likelihood larger', () => {
  const examples = drawn([0.3, -1.5], 200, 5);
  const value = (w: readonly number[]): number =>
    examples.reduce(
      (sum, { features, belongs }) => {
        const p = chanceOf(
          (features[0] as number) * (w[0] as number) + (features[1] as number) * (w[1] as number),
        );
        return sum + Math.log(belongs === 1 ? p : 1 - p);
      },
      -((w[0] as number) ** 2 + (w[1] as number) ** 2) / 8,
    );
  const [a = 0, b = 0] = fitLogOdds(examples, [0, 0]);
  for (const [da, db] of [
    [0.01, 0],
    [-0.01, 0],
    [0, 0.01],
    [0, -0.01],
  ] as const)
    expect(value([a + da, b + db])).toBeLessThan(value([a, b]));
});

test('a page that weighs twice => as if it stood there twice; chances as labels => their mean', () => {
  const [first, ...rest] = drawn([0, 1], 50, 3);
  if (!first) throw new Error('no page');
  const twice = fitLogOdds([{ ...first, weight: 2 }, ...rest], [0, 0]);
  fitLogOdds([first, first, ...rest], [0, 0]).forEach((weight, j) => {
    expect(weight).toBeCloseTo(twice[j] as number, 8);
  });
  const soft = Array.from({ length: 5000 }, () => ({ features: [1], belongs: 0.3 }));
  expect(chanceOf(fitLogOdds(soft, [0])[0] as number)).toBeCloseTo(0.3, 3);
});

test('judged pages where .fr tells and the language does not => weights that say so, the unseen one as it was', () => {
  const definition = {
    ...BLANK_PERIMETER,
    name: 'x',
    languages: { fr: 1, other: -1 },
    domains: { fr: 1, other: -1, ca: -3 },
  };
  const random = randomNumbers(2);
  const judged = Array.from({ length: 2000 }, () => {
    const [fr, french] = [random() < 0.5, random() < 0.5];
    const host = fr ? 'a.fr' : 'a.com';
    const facts = { url: `https://${host}/`, host, domain: host };
    return {
      facts: { ...facts, language: { code: french ? 'fr' : 'en', chance: 1 } },
      inside: random() < (fr ? 0.95 : 0.05),
    };
  });
  const fitted = fitWeights(definition, judged);
  const gap = ({ fr = 0, other = 0 }: Readonly<Record<string, number>>): number => fr - other;
  expect(gap(fitted.domains)).toBeGreaterThan(4.5);
  expect(Math.abs(gap(fitted.languages))).toBeLessThan(0.6);
  expect(fitted.domains.ca).toBe(-3);
});
