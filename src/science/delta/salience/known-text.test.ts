import { expect, it } from 'vitest';
import { KnownText, readWords } from './known-text.ts';
import { toldWords } from './told-words.ts';

const reader = (...texts: string[]): KnownText => {
  const known = new KnownText();
  for (const text of texts) known.add(readWords(text));
  return known;
};
const worth = (text: string): number => readWords(text).reduce((sum, one) => sum + one.worth, 0);

it('names and figures weigh more than other words, function words next to nothing', () => {
  const [the, council, of, bonn, count] = toldWords('The council of Bonn 12').map((one) => one.worth) as [
    number,
    number,
    number,
    number,
    number,
  ];
  expect(bonn).toBeGreaterThan(council);
  expect(count).toBeGreaterThan(council);
  expect(council).toBeGreaterThan(5 * the);
  expect(of).toBe(the);
});

it('a text that was there, told with its last word changed => little is new', () => {
  const known = reader('Council delays the new bridge in Bonn');
  expect(known.untold(readWords('Council delays the new bridge in Bonn'))).toBe(0);
  const changed = known.untold(readWords('Council delays the new bridge in Berlin'));
  expect(changed).toBeGreaterThan(0);
  expect(changed).toBeLessThan(0.4 * worth('Council delays the new bridge in Berlin'));
});

it('words that were there in other sentences => most of the text is new', () => {
  const known = reader(
    'Council meets on Monday',
    'A bridge for Bonn',
    'Trains delayed again',
    'New trams arrive',
  );
  const text = 'Council delayed new bridge';
  expect(known.untold(readWords(text))).toBeGreaterThan(0.6 * worth(text));
});

it('one word in place of another => that word, however long the text', () => {
  const known = reader('unrelated');
  const before = 'Council delays the new bridge over the river again and again';
  expect(known.untold(readWords(`${before} Bonn`), readWords(before))).toBeCloseTo(1.2);
});
