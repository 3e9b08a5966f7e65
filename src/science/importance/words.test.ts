import { describe, expect, it } from 'vitest';
import { infrequentWords, mostInfrequent, WebWords } from './infrequent-words.ts';
import { siteTextWeight, textWeight } from './text-weight.ts';
import { countWords, plainTokens, type WordReader } from './word-counts.ts';

const DICTIONARY = new Set(['toy', 'toys', 'the', 'butterfly', 'butterflies', 'été', 'flutter']);
const reader: WordReader = {
  tokens: plainTokens,
  isKnown: (token) => DICTIONARY.has(token.toLowerCase()),
  stem: (token) => token.toLowerCase().replace(/ies$/, 'y').replace(/s$/, ''),
};
const count = (text: string) => countWords(text, reader);
const webOf = (...texts: readonly string[]): WebWords => {
  const web = new WebWords();
  for (const text of texts) web.add(count(text));
  return web;
};

describe('countWords', () => {
  it('names, numbers and misspellings drop out; toy and toys are one', () => {
    const { counts, total, bytes } = count('The toys of Nabokov, 1948: the toy xqzt');
    expect([...counts]).toEqual([
      ['the', 2],
      ['toy', 2],
    ]);
    expect([total, bytes]).toEqual([4, 3 + 4 + 3 + 3]);
  });

  it("l'été, composed or not => l and été, five bytes of a known word", () => {
    expect([...plainTokens("l'e\u0301te\u0301 2002")]).toEqual(['l', 'été']);
    expect(count("l'e\u0301te\u0301").bytes).toBe(5);
    expect(countWords('𝒶 …水', { ...reader, isKnown: () => true }).bytes).toBe(4 + 3);
  });
});

describe('infrequentWords', () => {
  const web = webOf('the the the the toy toy', 'the the butterfly butterfly');

  it('by hand: shares of the page over shares of the web', () => {
    // f_web: the 6/10, toy 2/10, butterfly 2/10.
    expect(infrequentWords(count('the the the the toy toy'), web)).toBeCloseTo(4 / 6 / 0.6 + 2 / 6 / 0.2, 12);
    expect(infrequentWords(count('the the butterfly butterfly'), web)).toBeCloseTo(0.5 / 0.6 + 0.5 / 0.2, 12);
  });

  it('the whole web as one page => as many as it has different words, and so the mean page by words', () => {
    const texts = ['the the the the toy toy', 'the the butterfly butterfly'];
    const pages = texts.map(count);
    expect(infrequentWords(count(texts.join(' ')), web)).toBeCloseTo(3, 12);
    const words = pages.reduce((sum, page) => sum + page.total * infrequentWords(page, web), 0);
    expect(words / web.total).toBeCloseTo(3, 12);
  });

  it('a page on butterflies is above one of common words; explained by its words', () => {
    const [special, common] = [count('the butterfly butterflies'), count('the the toy the')];
    expect(infrequentWords(special, web)).toBeGreaterThan(infrequentWords(common, web));
    expect(mostInfrequent(special, web, 1)).toEqual([{ word: 'butterfly', part: 2 / 3 / 0.2 }]);
  });

  it('one seldom word alone => 1 ÷ f_web; with leastWords as if others stood beside it', () => {
    expect(infrequentWords(count('toy'), web)).toBeCloseTo(5, 12);
    expect(infrequentWords(count('toy'), web, { leastWords: 100 })).toBeCloseTo(0.05, 12);
    expect(infrequentWords(count('the the butterfly butterfly'), web, { leastWords: 4 })).toBe(
      infrequentWords(count('the the butterfly butterfly'), web),
    );
  });

  it('no words => 0; a word that the web has not => as if it stood there once', () => {
    expect(infrequentWords(count(''), web)).toBe(0);
    expect(infrequentWords(count('flutter'), web)).toBeCloseTo(10, 12);
    expect(infrequentWords(count('flutter'), new WebWords())).toBe(1);
  });

  it('a page taken out again => the web as before; kept and read back => the same', () => {
    const changing = webOf('the toy');
    changing.add(count('the butterfly'));
    changing.remove(count('the butterfly'));
    expect([...changing.counts]).toEqual([...webOf('the toy').counts]);
    expect(new WebWords(web.counts).frequency('toy')).toBe(web.frequency('toy'));
  });
});

describe('textWeight', () => {
  it('bytes of known words ÷ bytes of the document; none of nothing; never above 1', () => {
    expect(textWeight({ words: count('the toys'), documentBytes: 70 })).toBe(0.1);
    expect(textWeight({ words: count(''), documentBytes: 0 })).toBe(0);
    expect(textWeight({ words: count('été'), documentBytes: 3 })).toBe(1);
  });

  it('a book among a thousand empty pages => its share of the bytes', () => {
    const book = { words: { bytes: 90_000 }, documentBytes: 100_000 };
    const empty = Array.from({ length: 1000 }, () => ({ words: { bytes: 0 }, documentBytes: 20 }));
    expect(siteTextWeight([book, ...empty])).toBe(0.75);
  });
});
