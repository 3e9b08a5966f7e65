import { expect, it } from 'vitest';
import { drawHomePage, HAPPENED, type Happening, type HomePage, homePage } from '../../../test/home-page.ts';
import { combine } from '../../science/delta/salience/combine.ts';
import { SALIENCE_WEIGHTS } from '../../science/delta/salience/fitted-weights.generated.ts';
import type { JudgedComparison } from '../judged/judged-changes.ts';
import { agrees, decidedPairs } from './agreement.ts';
import { changeFacts, type JudgedFacts } from './change-facts.ts';
import { crossValidated } from './cross-validate.ts';
import { fitSalience } from './fit-salience.ts';
import { type SalienceStudy, salience } from './salience.ts';

const change = (page: string, name: Happening, stories: number) => {
  const old: HomePage = homePage(stories);
  return {
    name: `${page} ${name} → x`,
    page,
    old: drawHomePage(old),
    new: drawHomePage(HAPPENED[name](old)),
  };
};
const side = (page: string, from: Happening): JudgedComparison['a'] => ({
  change: { kind: 'versions', page, from, to: 'x' },
  digests: ['', ''],
});
const comparison = (number: number, page: string, a: Happening, b: Happening): JudgedComparison => ({
  number,
  styled: false,
  a: side(page, a),
  b: side(page, b),
  judgement: 'a',
  reason: '',
});

const PAGES = ['p1', 'p2', 'p3'] as const;
const comparisons = PAGES.flatMap((page, i) => [
  comparison(i, page, 'lead replaced', 'header clock'),
  comparison(i + 10, page, 'all replaced', 'lead replaced'),
]);
const changes = PAGES.flatMap((page, i) =>
  (['lead replaced', 'header clock', 'all replaced'] as const).map((name) => change(page, name, 4 + i)),
);

it('comparisons that any reader would decide so => all agree, and the claims hold', async () => {
  const outcome = await salience.run({ comparisons, changes, seed: '1' });
  if (outcome.kind !== 'measured') throw new Error('nothing was measured');
  expect(outcome.findings[0]).toMatchObject({ holds: 'holds' });
  expect(outcome.data).toMatchObject({
    changes: 9,
    pairs: 6,
    ties: 0,
    folds: 3,
  });
  expect((outcome.data as SalienceStudy).scores[0]).toMatchObject({ all: { mean: 1 } });
});

it('a judge who wants to be told of clocks, not of leads => the fit follows as far as it may, and never agrees by itself', () => {
  const facts = new Map<string, JudgedFacts>(changes.map((one) => [one.name, changeFacts(one)]));
  const turned = comparisons.map((one) => ({ ...one, judgement: 'b' as const }));
  const pairs = decidedPairs(turned, facts);
  expect(pairs).toHaveLength(6);
  expect(crossValidated(pairs, 3, '1').reduce((a, b) => a + b, 0)).toBeLessThan(3);
  const weights = fitSalience(
    pairs.map(({ winner, loser }) => ({ winner: winner.findings, loser: loser.findings })),
  );
  expect(weights.kinds.story).toBeLessThan(weights.kinds.lead);
  expect(weights.kinds.order).toBeLessThan(weights.kinds.picture);
});

it('ties of the judge are left out, ties of a score count half', () => {
  expect(decidedPairs([{ ...(comparisons[0] as JudgedComparison), judgement: 'tie' }], new Map())).toEqual(
    [],
  );
  expect([agrees(1, 0), agrees(0, 1), agrees(0.5, 0.5)]).toEqual([1, 0, 0.5]);
});

it('shipped weights => nothing changed is 0', () => expect(combine([], SALIENCE_WEIGHTS).salience).toBe(0));
