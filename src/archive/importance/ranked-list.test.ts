import { expect, it } from 'vitest';
import { rankedList } from './ranked-list.ts';

it('a list, a comment, ranks of one’s own => places', () => {
  expect([...rankedList('# best first\nhttp://a.org/\nb.org\n', 'x')]).toEqual([
    ['http://a.org/', 1],
    ['b.org', 2],
  ]);
  expect([...rankedList('a.org\t1\r\nb.org\t1\r\nc.org\t3\r\n', 'x').values()]).toEqual([1, 1, 3]);
});

it.each([
  ['a.org\na.org', 'x:2: a.org is ranked twice'],
  ['a.org\tfirst', "x:1: expected a rank such as 1, not 'first'"],
  ['a.org b.org', 'x:1: expected a URL or a site'],
  ['a.org\t1\t2', 'x:1: expected a URL or a site'],
  ['# nothing\n\n', 'x: no page or site is ranked in it'],
])('%j => %s', (text, complaint) => expect(() => rankedList(text, 'x')).toThrow(complaint));
