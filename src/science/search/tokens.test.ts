import { expect, it } from 'vitest';
import { tokensOf, unstemmed } from './tokens.ts';

const words = (text: string): string[] => tokensOf(text, unstemmed).map(({ word }) => word);

it('case and accents => do not count', () => {
  expect(words('Élégance À LA Straße')).toEqual(['elegance', 'a', 'la', 'strasse']);
  expect(words('e\u0301te\u0301')).toEqual(words('été'));
});

it('writing without spaces => pairs; one character => itself', () => {
  expect(words('東京都')).toEqual(['東京', '京都']);
  expect(words('go 東 now')).toEqual(['go', '東', 'now']);
  expect(words('iPhone版')).toEqual(['iphone', '版']);
});

it('a stem => before accents go, so that it is the language’s', () => {
  const stem = (word: string): string => (word === 'étés' ? 'été' : word);
  expect(tokensOf('Étés', stem).map(({ word }) => word)).toEqual(['ete']);
});

it('places => of the text as it is', () => {
  const text = 'Ein Ölpreis-Schock: 12,5 %';
  expect(tokensOf(text, unstemmed).map(({ from, to }) => text.slice(from, to))).toEqual([
    ...['Ein', 'Ölpreis', 'Schock', '12', '5'],
  ]);
});

it('nothing, signs alone, half a character => no word', () => {
  expect(words('')).toEqual([]);
  expect(words('— … \u{1f600} \ud83d')).toEqual([]);
  expect(words('½')).toEqual(['12']);
});
