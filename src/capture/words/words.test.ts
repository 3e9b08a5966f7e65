import { describe, expect, it } from 'vitest';
import { plainTokens } from '../../science/importance/word-counts.ts';
import { hunspellForms } from './hunspell-forms.ts';
import { compileWords, readWords, wordList, writeWords } from './word-list.ts';
import { openWordReaders } from './word-readers.ts';

describe('hunspellForms', () => {
  it('prefixes, suffixes with conditions, both together, a word that needs one => all forms, each a run of letters', () => {
    const aff = `SET UTF-8
NEEDAFFIX !
PFX A Y 1
PFX A 0 re .
PFX L N 1
PFX L 0 l' .
SFX S Y 3
SFX S y ies [^aeiou]y
SFX S 0 s [aeiou]y
SFX S 0 s [^y]`;
    const dic = '5\nplay/AS\nfly/S\nstem/!S\nNew York\n\tcomment';
    expect([...hunspellForms(aff, dic)]).toEqual([
      ...['play', 'replay', 'plays', 'replays'],
      ...['fly', 'flies', 'stems', 'New'],
    ]);
  });

  it('flags of two letters, a suffix after a suffix => found; a rule that takes off what is not there => not used', () => {
    const aff = `FLAG long
SFX S. Y 1
SFX S. 0 s .
SFX er Y 1
SFX er er eur/S. er
SFX xx Y 1
SFX xx zz a .`;
    expect([...hunspellForms(aff, '1\nchanter/erxx')]).toEqual(['chanter', 'chanteur', 'chanteurs']);
  });
});

describe('wordList', () => {
  it('words as hashes, written and read => those words and no others', () => {
    const words = Array.from({ length: 5_000 }, (_, i) => `word${i}`);
    const list = wordList(readWords(writeWords(compileWords(words))));
    expect(words.every((word) => list.has(word))).toBe(true);
    const others = Array.from({ length: 5_000 }, (_, i) => `other${i}`);
    expect(others.filter((word) => list.has(word))).toEqual([]);
    expect(wordList(new Uint32Array()).has('')).toBe(false);
    expect(() => readWords(new Uint8Array(3))).toThrow('no 3 bytes');
  });
});

describe('openWordReaders', () => {
  const readers = openWordReaders();
  const known = (language: string, text: string): string[] => {
    const reader = readers.of(language);
    return [...plainTokens(text)].filter((token) => reader?.isKnown(token));
  };

  it('French and English text => words of the dictionary; no names, no numbers, no other language', () => {
    expect(known('fr', "Les papillons de l'été 2002 volent, dit Jean Dupont à Montbéliard")).toEqual(
      expect.arrayContaining(['Les', 'papillons', 'été', 'volent', 'dit']),
    );
    expect(known('fr', 'Dupont Strasbourg 2002 butterflies xkcd')).toEqual([]);
    expect(known('en', 'The butterflies of London in 2002')).toEqual(['The', 'butterflies', 'of', 'in']);
  });

  it('forms of a word => one stem; a language without dictionary => nothing; with a list of its own => that', () => {
    const french = readers.of('fr');
    expect(french?.stem('Papillons')).toBe(french?.stem('papillon'));
    expect(readers.of('br')).toBeUndefined();
    const listed = openWordReaders(new Map([['br', '# Breton\nKizhier\nki\n']]));
    expect(listed.languages).toContain('br');
    expect(listed.of('br')?.isKnown('kizhier')).toBe(true);
    expect(listed.of('br')?.stem('Kizhier')).toBe('kizhier');
  });
});
