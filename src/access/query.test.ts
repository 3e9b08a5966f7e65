import { describe, expect, it } from 'vitest';
import { openQuery, QueryError } from './query.ts';

const DELTA = `<?xml version="1.0" encoding="UTF-8"?>
<Delta format="1" from="2026-03-01T00:00:00.000Z" to="2026-03-02T00:00:00.000Z"><Block ref="B1.2" importance="0.4">
<Insert><link name="Vote &amp; tea" adr="https://example.org/vote"/><link name="More" adr="https://example.org/more"/></Insert>
<Update><txt old="Rain" new="Sun"/></Update></Block></Delta>`;
const OTHER = '<Delta from="b" to="c"><Block ref="B3"/></Delta>';

const texts = (query: string) =>
  openQuery(query)
    .ask(DELTA, { url: 'https://example.org/', time: '2026-03-02T00:00:00.000Z' })
    .map(({ text }) => text);

const failure = (query: string): string => {
  try {
    return texts(query).join();
  } catch (error) {
    expect(error).toBeInstanceOf(QueryError);
    return (error as Error).message;
  }
};

describe('XQuery over one document', () => {
  it.each([
    ['//Insert/link/@name', ['Vote & tea', 'More']],
    ['count(//link)', ['2']],
    ['//Block[@importance > 0.2]//txt/@new/string()', ['Sun']],
    ['//Block[@importance > 0.5]', []],
    ['//link[contains(@name, "tea")]', ['<link name="Vote &amp; tea" adr="https://example.org/vote"/>']],
    [
      'for $l in //link order by $l/@name return <hit>{string($l/@name)}</hit>',
      ['<hit>More</hit>', '<hit>Vote &amp; tea</hit>'],
    ],
    ['($url, $time)', ['https://example.org/', '2026-03-02T00:00:00.000Z']],
    ['map { "new": count(//Insert/*), "all": [1, "x"] }', ['{"new":2,"all":[1,"x"]}']],
    ['1 = 1', ['true']],
  ])('%s => %j', (query, expected) => {
    expect(texts(query)).toEqual(expected);
  });

  it('numbers, booleans, maps => values for JSON', () => {
    const values = openQuery('(1.5, true(), "x", map { "a": (1) })').ask(DELTA, { url: '', time: '' });
    expect(values.map(({ value }) => value)).toEqual([1.5, true, 'x', { a: 1 }]);
  });
});

describe('XQuery over all documents', () => {
  it('collection() => asked once about all', () => {
    const query = openQuery(
      'for $d in collection()/Delta order by $d/@from descending return string($d/@from)',
    );
    expect(query.wantsAll).toBe(true);
    expect(query.askAll([DELTA, OTHER]).map(({ text }) => text)).toEqual(['b', '2026-03-01T00:00:00.000Z']);
    expect(query.askAll([])).toEqual([]);
    expect(openQuery('//link').wantsAll).toBe(false);
  });
});

describe('queries at fault', () => {
  it('a syntax error => line, column and a mark, before any document is read', () => {
    expect(() => openQuery('for $x in //link\nretrun $x')).toThrow(
      'the query fails (XPST0003) at line 2, column 1: Expected return\n  retrun $x\n  ^',
    );
  });

  it('an error while it runs => line, column and a mark', () => {
    expect(failure('for $l in //link\nreturn xs:integer($l/@name)')).toMatch(
      /line 2, column \d+: .*\n {2}return xs/,
    );
  });

  it.each([
    ['nosuch(//link)', 'nosuch'],
    ['$nosuch', 'nosuch'],
    ['1 div "a"', 'XPTY0004'],
    ['xs:integer("x")', 'FORG0001'],
  ])('%s => %s', (query, said) => {
    expect(failure(query)).toContain(said);
  });
});
