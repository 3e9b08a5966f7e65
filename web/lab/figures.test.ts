import { expect, it } from 'vitest';
import { hourFigure, rateFigure, salienceFigure } from './figures.ts';

it('pages of 0, 0.2, 2 and 30 changes a day => one in each of their bins, none lost', () => {
  const figure = rateFigure([0, 0.2, 2, 30].map((changesPerDay) => ({ changesPerDay })));
  expect(figure.map(({ y }) => y)).toEqual([1, 0, 1, 1, 0, 0, 1]);
});

it('changes of salience 1 and 0.31, and one of importance 0.02 alone => the last, the fourth, the first tenth', () => {
  const figure = salienceFigure([
    { salience: 1, importance: 0 },
    { salience: 0.31, importance: 1 },
    { importance: 0.02 },
  ]);
  expect(figure.map(({ y }) => y)).toEqual([1, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
});

it('workdays at 9, weekends never => five sevenths of the rate, at 9', () => {
  const at9 = Array.from({ length: 24 }, (_, hour) => (hour === 9 ? 7 : 0));
  const figure = hourFigure([
    {
      kind: 'workday-weekend',
      periods: 24,
      rate: [
        { label: 'workdays', values: at9 },
        { label: 'weekends', values: at9.map(() => 0) },
      ],
    },
  ]);
  expect(figure[9]?.y).toBeCloseTo(5);
  expect(figure.filter(({ y }) => y > 0).length).toBe(1);
});
