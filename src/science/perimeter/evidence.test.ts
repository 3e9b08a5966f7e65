import { expect, test } from 'vitest';
import { BLANK_PERIMETER, type PerimeterDefinition } from './definition.ts';
import { evidenceOf, ownRelevance, UTMOST } from './evidence.ts';
import type { PageFacts } from './page-facts.ts';

const FRENCH: PerimeterDefinition = {
  ...BLANK_PERIMETER,
  name: 'french',
  languages: { fr: 2, other: -1.5 },
  domains: { fr: 3, 'gouv.fr': 4, ca: -3, other: 0 },
  countries: { FR: 1, other: -1 },
  owners: { FR: 3, other: -2 },
  ownerOf: new Map([['00h00.com', 'FR']]),
  topics: [{ name: 'heritage', words: ['patrimoine', 'dépôt légal'], weight: 1 }],
  commercial: -2,
};

const page = (url: string, more: Partial<PageFacts> = {}): PageFacts => {
  const { hostname } = new URL(url);
  return { url, host: hostname, domain: hostname.split('.').slice(-2).join('.'), ...more };
};
const found = (facts: PageFacts) =>
  evidenceOf(facts, FRENCH).map(({ criterion, outcome, weight }) => `${criterion} ${outcome} ${weight}`);

test('a French page in Quebec => language for it, domain and country against it', () => {
  const facts = page('https://www.uqam.ca/', { language: { code: 'fr', chance: 0.9 }, country: 'CA' });
  expect(found(facts)).toEqual(['language fr 2', 'domain ca -3', 'country other -1']);
  expect(ownRelevance(evidenceOf(facts, FRENCH))).toBeCloseTo(0.9 * 2 - 3 - 1, 12);
});

test('several entries fit a host => the longest', () => {
  expect(found(page('https://www.culture.gouv.fr/'))).toEqual(['domain gouv.fr 4']);
  expect(found(page('https://notfr/'))).toEqual(['domain other 0']);
  expect(found(page('https://gouv.fr.example.com/'))).toEqual(['domain other 0']);
});

test('nothing known (an address as host, no language, no country) => no evidence', () => {
  expect(evidenceOf(page('https://192.0.2.7/'), FRENCH)).toEqual([]);
  expect(ownRelevance([])).toBe(0);
});

test('an unknown language => other, and what it was is shown', () => {
  const [first] = evidenceOf(page('https://x.fr/', { language: { code: 'tlh', chance: 1 } }), FRENCH);
  expect(first).toMatchObject({ outcome: 'other', found: 'tlh', weight: -1.5 });
});

test('the holder of a domain, by the imported list => for all its hosts', () => {
  expect(found(page('https://shop.00h00.com/a'))).toEqual(['domain other 0', 'owner FR 3']);
});

test('topic words, accents and case aside => more of them, more strength', () => {
  const strength = (text: string) =>
    evidenceOf(page('https://192.0.2.7/', { text }), FRENCH).find(({ criterion }) => criterion === 'topic')
      ?.strength;
  expect(strength('Le PATRIMOINE et le depot légal')).toBe(0.75);
  expect(strength('Journées du patrimoine')).toBe(0.5);
  expect(strength('patrimoines')).toBeUndefined();
});

test('much evidence => no more than the utmost', () => {
  const sure = { criterion: 'domain', outcome: 'x', found: 'x', strength: 1, weight: 50 } as const;
  expect([ownRelevance([sure]), ownRelevance([{ ...sure, weight: -50 }])]).toEqual([UTMOST, -UTMOST]);
});
