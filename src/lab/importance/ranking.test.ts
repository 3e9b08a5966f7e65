import { expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { printed } from '../experiment/text-table.ts';
import { importance, measureImportance } from './measure.ts';
import { rankingText } from './ranking.ts';

/** 30 sites of two pages; the home page of site i is linked from all later sites. */
const home = (site: number): string => `http://site${site}.org/`;
const links = new Map(
  Array.from({ length: 30 }, (_, site) => [
    home(site),
    [`${home(site)}about`, ...Array.from({ length: site }, (_other, k) => home(k))],
  ]),
);
const settings = { links, damping: 0.85, visits: 5, order: 'cyclic', random: randomNumbers(1) } as const;
const rankingOf = (name: (site: number) => string, place: (site: number) => number) =>
  new Map(Array.from({ length: 30 }, (_, site) => [name(site), place(site)]));
const measured = (first: ReadonlyMap<string, number>, more: object = {}) =>
  measureImportance({
    ...settings,
    ranking: { first, scores: new Map(), random: randomNumbers(2), ...more },
  }).ranking;

it('a person who ranks by the links to a page => τ about 1, held out too', () => {
  const report = measured(rankingOf(home, (site) => site + 1));
  expect(report).toMatchObject({ of: 'pages', ranked: 30, unknown: [] });
  expect(report?.scores.PageRank?.alone.kendall).toBeGreaterThan(0.95);
  expect(report?.heldOut?.kendall).toBeGreaterThan(0.9);
});

it('names of sites => sites are compared; names nobody links to are told', () => {
  const ranking = rankingOf(
    (site) => `site${site}.org`,
    (site) => site + 1,
  );
  const report = measured(new Map([...ranking, ['nowhere.org', 31]]));
  expect(report).toMatchObject({ of: 'sites', ranked: 30, unknown: ['nowhere.org'] });
  expect(Object.keys(report?.scores ?? {})).toEqual([
    ...['theorem', 'uniform', 'outdegree', 'local', 'maximum', 'interSite'],
  ]);
});

it('a ranking by words, with the words as a score => their weight is the largest, beside links that say nothing', () => {
  const random = randomNumbers(9);
  const words = rankingOf(home, () => random());
  const order = [...words].sort(([, a], [, b]) => b - a).map(([page]) => page);
  const report = measured(new Map(order.map((page, i) => [page, i + 1])), {
    scores: new Map([['words', words]]),
  });
  expect(report?.scores.words?.alone.kendall).toBe(1);
  for (const name of ['PageRank', 'links to it', 'its site'])
    expect(report?.scores.words?.weight).toBeGreaterThan(Math.abs(report?.scores[name]?.weight ?? 9));
});

it('a second person who turns pairs of neighbours around => agreement of the two, and of the scores with each', () => {
  const first = rankingOf(home, (site) => site + 1);
  const report = measured(first, { second: rankingOf(home, (site) => (site ^ 1) + 1) });
  // 15 of 435 pairs.
  expect(report?.second?.rankers.agreed).toBeCloseTo(420 / 435, 12);
  expect(report?.second?.heldOut?.kendall).toBeGreaterThan(0.8);
  if (!report) throw new Error('no ranking');
  expect(printed(rankingText(report))).toContain('the second ranking');
});

it('nobody ranked is among the links => skipped with the reason', async () => {
  const ranking = { first: new Map([['x', 1]]), scores: new Map(), random: randomNumbers(1) };
  expect(await importance.run({ ...settings, ranking })).toMatchObject({
    kind: 'skipped',
    reason: 'none of the ranked names is a page or a site of the links',
  });
});
