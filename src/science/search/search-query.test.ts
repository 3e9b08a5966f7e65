import { describe, expect, it } from 'vitest';
import { marksIn, parseSearch, SearchSyntaxError } from './search-query.ts';
import type { Stem } from './tokens.ts';

const english: Stem = (word) => word.replace(/(?:ed|s)$/, '');

describe('parseSearch', () => {
  it('words, phrases, unwanted, beginnings => terms, each in every way', () => {
    expect(parseSearch('Fees "general terms" -draft strik*', [english])).toEqual({
      wanted: [
        { ways: [['fees'], ['fee']] },
        {
          ways: [
            ['general', 'terms'],
            ['general', 'term'],
          ],
        },
        { ways: [['strik']], isPrefix: true },
      ],
      unwanted: [{ ways: [['draft']] }],
    });
  });

  it('a word with a hyphen => its words after each other', () => {
    expect(parseSearch('e-mail', []).wanted).toEqual([{ ways: [['e', 'mail']] }]);
  });

  it.each([
    ['', /no word/],
    ['… !', /no word/],
    ['-only', /but what is unwanted/],
    ['"open', /not closed/],
    [Array.from({ length: 40 }, (_, i) => `w${i}`).join(' '), /more than 32/],
  ])('%j => told', (text, message) => {
    expect(() => parseSearch(text, [])).toThrow(message);
    expect(() => parseSearch(text, [])).toThrow(SearchSyntaxError);
  });
});

it('marksIn => the wanted words where they stand, in any ending', () => {
  const text = 'The fee was raised; all fees rise.';
  const marks = marksIn(text, parseSearch('fee rais*', [english]), [english]);
  expect(marks.map(([from, to]) => text.slice(from, to))).toEqual(['fee', 'raised', 'fees']);
});
