import { describe, expect, it } from 'vitest';
import { historyVersions } from './history-versions.ts';
import { parseHistory } from './site-history.ts';

const versionsOf = (rows: readonly string[], every = 10) =>
  historyVersions(parseHistory(rows.map((row) => row.replaceAll(' ', '\t')).join('\n'), 'h.tsv'), every);

const states = (rows: readonly string[], every?: number): string[] =>
  [...versionsOf(rows, every).pages()].map((pages) =>
    pages
      .map(({ url, digest }) => `${url}=${digest}`)
      .sort()
      .join(' '),
  );

describe('historyVersions', () => {
  it('events of three spans => the state at the end of each; an event on the border belongs to the later span', () => {
    const rows = ['/a A 100 5 x', '/b A 109 5 y', '/a M 110 6 z', '/b D 125 0 -'];
    expect(states(rows)).toEqual(['/a=x /b=y', '/a=z /b=y', '/a=z']);
    expect([0, 1, 2].map(versionsOf(rows).endOf)).toEqual([110, 120, 130]);
  });

  it('spans without events => versions too, counted', () => {
    const rows = ['/a A 100 5 x', '/a M 145 5 y'];
    expect(states(rows)).toEqual(['/a=x', '/a=x', '/a=x', '/a=x', '/a=y']);
    expect(versionsOf(rows)).toMatchObject({ count: 5, spansWithoutEvents: 3 });
  });

  it('everything goes => an empty version', () => {
    expect(states(['/a A 100 5 x', '/a D 110 0 -'])).toEqual(['/a=x', '']);
  });

  it('rows out of order => sorted, counted', () => {
    const rows = ['/a D 125 0 -', '/a M 112 5 y', '/a A 100 5 x'];
    expect(states(rows)).toEqual(['/a=x', '/a=y', '']);
    expect(versionsOf(rows).repairs.outOfOrder).toBe(2);
  });

  it('delete of what never was, change of what is not there, a second appearance => repaired, counted', () => {
    const rows = ['/a D 100 0 -', '/b M 101 5 x', '/b A 112 5 y', '/b D 123 0 -', '/b D 124 0 -'];
    expect(states(rows)).toEqual(['/b=x', '/b=y', '']);
    expect(versionsOf(rows).repairs).toEqual({
      outOfOrder: 0,
      otherSpellings: 0,
      appearedTwice: 1,
      changedWhileAbsent: 1,
      wentWhileAbsent: 2,
    });
  });

  it('two spellings of a page => one page, counted', () => {
    const rows = ['/%7Ea A 100 5 x', '/~a M 112 5 y', '/%7ea D 123 0 -'];
    expect(states(rows)).toEqual(['/%7Ea=x', '/%7Ea=y', '']);
    expect(versionsOf(rows).repairs.otherSpellings).toBe(2);
  });

  it('a path that is page and directory => two nodes', () => {
    expect(states(['/a A 100 5 x', '/a/b A 101 5 y', '/a D 111 0 -'])).toEqual(['/a/b=y /a=x', '/a/b=y']);
  });

  it('no digests => every event is another content', () => {
    expect(states(['/a A 100 5', '/a M 111 5'])).toEqual(['/a=100', '/a=111']);
  });

  it('no events, spans far too short => refused', () => {
    expect(() => versionsOf(['path kind time size digest'])).toThrow('no events');
    expect(() => versionsOf(['/a A 0 5 x', '/a M 1000000 5 y'], 1)).toThrow(/too many.*longer spans/);
  });
});
