import { beforeAll, expect, test } from 'vitest';
import type { LanguageIdentifier } from '../../ports/language-identifier.ts';
import { openLanguageIdentifier } from './cld3-identifier.ts';

let identifier: LanguageIdentifier;
beforeAll(async () => {
  identifier = await openLanguageIdentifier();
});

test.each([
  ['fr', 'La bibliothèque conserve un exemplaire de chaque livre publié dans le pays depuis cinq siècles.'],
  ['de', 'Die Bibliothek bewahrt seit fünf Jahrhunderten von jedem gedruckten Buch ein Exemplar auf.'],
  ['en', 'The library has kept a copy of every book that was published in the country.'],
  ['pt', 'A biblioteca guarda um exemplar de cada livro publicado no país há cinco séculos, e não só.'],
  ['gl', 'A biblioteca garda un exemplar de cada libro publicado no país dende hai cinco séculos.'],
  ['cy', "Mae'r llyfrgell yn cadw copi o bob llyfr a gyhoeddwyd yn y wlad ers pum can mlynedd."],
  [
    'id',
    'Perpustakaan menyimpan satu salinan dari setiap buku yang diterbitkan di negara ini karena undang-undang.',
  ],
  [
    'no',
    'Biblioteket har tatt vare på et eksemplar av hver bok som er gitt ut i landet, og det gjør de fortsatt.',
  ],
  ['he', 'הספרייה שומרת עותק של כל ספר שיצא לאור במדינה מאז חמש מאות שנים'],
  ['ja', '図書館は五百年前から国内で出版されたすべての本を一冊ずつ保存しています。'],
])('a sentence in %s => %s', (code, text) => {
  const found = identifier.identify(text);
  expect(found?.code).toBe(code);
  expect(found?.chance).toBeGreaterThan(0.5);
});

test.each(['', '   ', '12 345,67 €', 'Meyer', '!!! ??? ---'])('%j => nothing is said', (text) => {
  expect(identifier.identify(text)).toBeUndefined();
});

test('a very long page => its beginning tells', () => {
  const text = 'Voici le texte de la page, écrit pour être lu par tout le monde. '.repeat(20_000);
  expect(identifier.identify(text)).toMatchObject({ code: 'fr' });
});
