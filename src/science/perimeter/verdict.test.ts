import { expect, test } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { BLANK_PERIMETER } from './definition.ts';
import { UTMOST } from './evidence.ts';
import { chanceOf } from './fit-log-odds.ts';
import { chanceQuality } from './held-out.ts';
import { perimeterSize, type WeighedPage } from './perimeter-size.ts';
import { judge, statedCoefficients } from './verdict.ts';

const FRENCH = {
  ...BLANK_PERIMETER,
  name: 'french',
  prior: -1,
  languages: { fr: 2, other: -1 },
  connectivity: [0.5, 0.25],
};
const facts = (host: string, language: string) => ({
  url: `https://${host}/`,
  host,
  domain: host,
  language: { code: language, chance: 1 },
});

test('own criteria and links => their weighted sum as log-odds, and all parts shown', () => {
  const verdict = judge(facts('a.org', 'fr'), [4, -2], FRENCH, statedCoefficients(FRENCH));
  expect(verdict.logOdds).toBeCloseTo(-1 + 2 + 0.5 * 4 - 0.25 * 2, 12);
  expect(verdict.chance).toBeCloseTo(chanceOf(2.5), 12);
  expect(verdict.evidence).toEqual([
    { criterion: 'language', outcome: 'fr', found: 'fr', strength: 1, weight: 2 },
  ]);
  expect(verdict.connectivity).toEqual([
    { mean: 4, weight: 0.5 },
    { mean: -2, weight: 0.25 },
  ]);
  expect(verdict.inside).toBe(true);
});

test('a page in English that French pages link to => inside; one that nobody links to => outside', () => {
  const at = (means: readonly number[]) =>
    judge(facts('a.org', 'en'), means, FRENCH, statedCoefficients(FRENCH)).inside;
  expect([at([4, 3]), at([0, 0])]).toEqual([true, false]);
});

test('a decision => wins over all criteria, with who and why, and is handed on as the utmost', () => {
  const decision = {
    id: '1',
    target: 'out.org',
    act: { kind: 'out' },
    by: 'A. B.',
    why: 'a shop',
    at: 5,
  } as const;
  const verdict = judge(facts('out.org', 'fr'), [5, 5], FRENCH, statedCoefficients(FRENCH), decision);
  expect(verdict).toMatchObject({ inside: false, chance: 0, own: -UTMOST });
  expect(verdict.decision).toMatchObject({ by: 'A. B.', why: 'a shop' });
});

test('chances and truth => precision, recall, Brier score, shares by tenths', () => {
  const quality = chanceQuality([
    { chance: 0.9, inside: true },
    { chance: 0.8, inside: false },
    { chance: 0.2, inside: true },
    { chance: 0.1, inside: false },
  ]);
  expect(quality).toMatchObject({ pages: 4, precision: 0.5, recall: 0.5 });
  expect(quality.brier).toBeCloseTo((0.01 + 0.64 + 0.64 + 0.01) / 4, 12);
  expect(quality.reliability.map(({ pages, share }) => [pages, share])).toEqual([
    [1, 0],
    [1, 1],
    [1, 0],
    [1, 1],
  ]);
  expect(chanceQuality([{ chance: 0.1, inside: false }])).toMatchObject({ precision: null, recall: null });
});

/** Sites that belong or do not, whatever their pages show; a third of the pages were read, some of those judged. */
function drawnWeb(random: () => number) {
  const pages: (WeighedPage & { readonly truth: boolean })[] = [];
  for (let s = 0; s < 120; s++) {
    const lean = 3 * (random() + random() + random() - 1.5);
    const size = 1 + Math.floor(random() ** 3 * 25);
    for (let p = 0; p < size; p++) {
      const own = lean + 2 * (random() - 0.5);
      const truth = random() < chanceOf(-0.5 + 1.3 * own);
      const asSuspect = [1, lean + 3 * (random() - 0.5)];
      const [read, judged] = [random() < 0.33, random() < 0.5];
      pages.push({
        site: `s${s}`,
        asSuspect,
        truth,
        ...(read && { asRead: [1, own] }),
        ...(read && judged && { inside: truth }),
      });
    }
  }
  return pages;
}

test('100 webs of sites => the number of pages that belong lies within its interval in at least 90', () => {
  let within = 0;
  for (let seed = 1; seed <= 100; seed++) {
    const random = randomNumbers(seed * 7919);
    const pages = drawnWeb(random);
    const truth = pages.filter((page) => page.truth).length;
    const { low, high } = perimeterSize(pages, { read: [0, 1], suspects: [0, 1], random, rounds: 60 });
    if (low <= truth && truth <= high) within++;
  }
  expect(within).toBeGreaterThanOrEqual(90);
});

test('no pages, or all of them decided => no doubt', () => {
  const options = { read: [0, 1], suspects: [0, 1], random: randomNumbers(1), rounds: 20 };
  expect(perimeterSize([], options)).toMatchObject({ mean: 0, low: 0, high: 0 });
  const decided = [true, false, true].map((inside, i) => ({
    site: `s${i}`,
    asSuspect: [1, 0],
    asRead: [1, 0],
    inside,
  }));
  expect(perimeterSize(decided, options)).toMatchObject({ mean: 2, low: 2, high: 2 });
});
