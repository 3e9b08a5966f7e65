import { describe, expect, it } from 'vitest';
import { findGroups, pairsOf, type WordedPage } from './find-groups.ts';

const page = (url: string, more: Partial<WordedPage> = {}): WordedPage => ({
  url,
  names: [],
  links: [],
  texts: [],
  ...more,
});
const MENU = ['/about', '/contact'].map((url) => ({ url, label: url.slice(1) }));
const articles = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) =>
  page(`/${name}`, { names: [`Story ${name} of the day – Courier`], links: MENU }),
);
const link = (name: string, label = `Story ${name} of the day`) => ({ url: `/${name}`, label });
const front = page('/', {
  names: ['Courier'],
  links: [...MENU, ...['a', 'b', 'c', 'd', 'e'].map((n) => link(n))],
});
const others = MENU.map(({ url, label }) => page(url, { names: [label], links: MENU }));

describe('findGroups', () => {
  it('a front page with five headlines => one index, without its menu', () => {
    expect(findGroups([front, ...articles, ...others])).toEqual([
      { kind: 'index', pages: ['/', '/a', '/b', '/c', '/d', '/e'] },
    ]);
  });

  it('an article whose headline has changed since => a member all the same', () => {
    const changed = { ...front, links: [...front.links, link('f', 'Harbour closed for an hour')] };
    expect(findGroups([changed, ...articles, ...others])[0]?.pages).toEqual([
      '/',
      '/a',
      '/b',
      '/c',
      '/d',
      '/e',
      '/f',
    ]);
  });

  it('four related articles => no index; links that only begin alike are not named', () => {
    const four = { ...front, links: ['a', 'b', 'c', 'd'].map((n) => link(n)) };
    const alike = { ...front, links: ['a', 'b', 'c', 'd', 'e'].map((n) => link(n, 'Story')) };
    expect(findGroups([four, ...articles, ...others])).toEqual([]);
    expect(findGroups([alike, ...articles, ...others])).toEqual([]);
  });

  it.each([
    [
      ['/news?page=2', '/news', '/news?page=10'],
      ['/news', '/news?page=2', '/news?page=10'],
    ],
    [
      ['/news/page/3/', '/news/page/2/', '/news/'],
      ['/news/', '/news/page/2/', '/news/page/3/'],
    ],
    [
      ['/f?page=2&id=7', '/f?id=7', '/f?id=8'],
      ['/f?id=7', '/f?page=2&id=7'],
    ],
  ])('%j => the list %j', (urls, list) => {
    expect(findGroups(urls.map((url) => page(url)))).toEqual([{ kind: 'list', pages: list }]);
  });

  it.each([[['/2026/11/02/', '/2026/11/03/']], [['/news?page=2', '/sport?page=2']], [['/news?page=2']]])(
    '%j => no list',
    (urls) => expect(findGroups(urls.map((url) => page(url)))).toEqual([]),
  );

  const rate = 'The harbour index stands at 1,204 points';
  it('text that is new on two pages => a group; that was there before, or of which no version before is known => none', () => {
    const two = (former?: string[]) =>
      ['/x', '/y'].map((url) => page(url, { texts: [rate], ...(former && { former: new Set(former) }) }));
    expect(findGroups(two([]))).toEqual([{ kind: 'shared-text', pages: ['/x', '/y'] }]);
    expect(findGroups(two([rate]))).toEqual([]);
    expect(findGroups(two())).toEqual([]);
    expect(
      findGroups([
        page('/x', { texts: ['12 comments'], former: new Set() }),
        page('/y', { texts: ['12 comments'] }),
      ]),
    ).toEqual([]);
  });

  it('no pages => no groups', () => expect(findGroups([])).toEqual([]));
});

it('an index and a list => the first with each, each part with the next, every pair once', () => {
  const numbers = new Map(['/', '/a', '/b', '/p2', '/p3'].map((url, index) => [url, index]));
  const groups = [
    { kind: 'index', pages: ['/', '/a', '/b', '/gone'] },
    { kind: 'shared-text', pages: ['/a', '/'] },
    { kind: 'list', pages: ['/', '/p2', '/p3'] },
  ] as const;
  expect(pairsOf(groups, numbers)).toEqual([
    [0, 1],
    [0, 2],
    [0, 3],
    [3, 4],
  ]);
});
